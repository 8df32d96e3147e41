# Fills gaps: fetches what no delivery brought from GET /v1/events, at the start and every minute.
require 'json'
require 'net/http'
require 'uri'

class Poller
  EVERY_S = Float(ENV.fetch('POLL_SECONDS', '60'))

  # last: the created_at of the last event that your database holds; nil means the last 30 days.
  def initialize(store, last = nil)
    @store = store
    @last = last
    @api = URI(ENV.fetch('SANDBOX_API_URL'))
  end

  def run
    loop do
      begin
        fetch
      rescue StandardError => e
        warn "Events are fetched again in #{EVERY_S} s: #{e.message}"
      end
      sleep EVERY_S
    end
  end

  private

  def fetch
    query = { limit: 200, created_after: @last }.compact
    loop do
      page = get("/v1/events?#{URI.encode_www_form(query)}")
      page['data'].each do |event|
        @store.take(event)
        @last = event['created_at']
      end
      break if page['next_cursor'].nil?

      query[:cursor] = page['next_cursor']
    end
  end

  # One GET: a token that has ended is renewed once, and a limit is waited for.
  def get(path)
    renewed = false
    loop do
      @token ||= new_token
      answer = http { |connection| connection.get(path, 'Authorization' => "Bearer #{@token}") }
      case answer.code
      when '200' then return JSON.parse(answer.body)
      when '429' then sleep Integer(answer['Retry-After'] || 1)
      when '401'
        raise "GET #{path}: 401" if renewed

        @token = nil
        renewed = true
      else raise "GET #{path}: #{answer.code}"
      end
    end
  end

  def new_token
    form = { grant_type: 'client_credentials', client_id: ENV.fetch('SANDBOX_CLIENT_ID'),
             client_secret: ENV.fetch('SANDBOX_CLIENT_SECRET') }
    answer = http { |connection| connection.post('/v1/oauth/token', URI.encode_www_form(form)) }
    raise "No token: #{answer.code}" unless answer.code == '200'

    JSON.parse(answer.body)['access_token']
  end

  def http(&)
    Net::HTTP.start(@api.host, @api.port, use_ssl: @api.scheme == 'https', read_timeout: 30, &)
  end
end
