# What both.rb calls the API with: a pace that wake calls can drive, and calls that know which failures pass.

require 'json'
require 'net/http'
require 'time'

EVERY_S = 10
RETRY_S = 2

# Raised where a call is to be made again, not before the given time.
class Later < StandardError
  attr_reader :at

  def initialize(why, at)
    super(why)
    @at = at
  end
end

# Seconds: of the wall until the first wake call, of the wake calls from then on.
class Pace
  def initialize = @frozen = nil
  def driven? = !@frozen.nil?
  def now = @frozen || Process.clock_gettime(Process::CLOCK_MONOTONIC)
  def tick = @frozen = now + EVERY_S
end

class Api
  def initialize(env, pace)
    @env = env
    @pace = pace
    @base = URI(env['SANDBOX_API_URL'])
    @not_before = 0
  end

  def call(method, path, body = nil)
    raise Later.new("#{path}: over the limit", @not_before) if @pace.now < @not_before

    2.times do |renewed|
      @token ||= login
      answer = send_to(method, path, body && JSON.generate(body), 'application/json', "Bearer #{@token}")
      code = answer.code.to_i
      if code == 401
        @token = nil
        next if renewed.zero?
        raise Later.new("#{path}: 401", @pace.now + RETRY_S)
      end
      @token = nil if code == 403
      refuse_for_now(path, answer)
      return [code, answer.body.to_s.empty? ? nil : JSON.parse(answer.body)]
    end
  end

  def walk(path)
    cursor = nil
    items = []
    loop do
      code, page = call('GET', "#{path}&limit=200#{cursor && "&cursor=#{URI.encode_www_form_component(cursor)}"}")
      raise Later.new("#{path}: #{code}", @pace.now + RETRY_S) unless code == 200

      items.concat(page['data'])
      cursor = page['next_cursor']
      return items if cursor.nil?
    end
  end

  private

  def login
    form = URI.encode_www_form(grant_type: 'client_credentials', client_id: @env['SANDBOX_CLIENT_ID'],
                               client_secret: @env['SANDBOX_CLIENT_SECRET'])
    answer = send_to('POST', '/v1/oauth/token', form, 'application/x-www-form-urlencoded', nil)
    refuse_for_now('token', answer)
    raise Later.new("no token: #{answer.code}", @pace.now + RETRY_S) unless answer.code == '200'

    JSON.parse(answer.body)['access_token']
  end

  def refuse_for_now(path, answer)
    code = answer.code.to_i
    return unless code == 429 || code >= 500

    wait = [answer['retry-after'].to_i, RETRY_S].max
    @not_before = @pace.now + wait if code == 429
    raise Later.new("#{path}: #{code}", @pace.now + wait)
  end

  def send_to(method, path, body, type, authorization)
    request = Net::HTTPGenericRequest.new(method, !body.nil?, true, path)
    request['Authorization'] = authorization if authorization
    if body
      request['Content-Type'] = type
      request.body = body
    end
    http = Net::HTTP.new(@base.host, @base.port)
    http.open_timeout = 5
    http.read_timeout = 10
    http.max_retries = 0
    http.start { http.request(request) }
  rescue SystemCallError, IOError, Timeout::Error, Net::HTTPBadResponse => e
    raise Later.new("#{path}: #{e.class}", @pace.now + RETRY_S)
  end
end
