# A webhook receiver: verifies, stores each event once, answers at once, and works afterwards.
# WEBrick serves it, which is a gem since Ruby 3 (gem install webrick, or Debian's ruby-webrick).
require 'json'
require 'webrick'
require_relative 'poller'
require_relative 'verify'

# In memory, to keep the example short: use your database, with a unique key on the event id.
class Store
  def initialize
    @lock = Mutex.new
    @seen = {}
    @alerts = {}
    @musters = {}
    @acted = []
  end

  # Deliveries come more than once, out of order, and beside what the poller fetched: all of them come through here.
  def take(event)
    @lock.synchronize do
      next if @seen[event['id']]

      @seen[event['id']] = true
      # A test event proves the connection; the API knows no such alert.
      next if event['organization_id'].nil?

      alert, muster = (event['data'] || {}).values_at('alert', 'muster')
      keep_newest(@alerts, alert, alert['date_last_modified']) if alert
      keep_newest(@musters, muster, event['created_at']) if muster
      # Here the work begins that may take long: page somebody, open a door, write a report.
      @acted << event['id']
    end
  end

  def state
    @lock.synchronize { JSON.generate(alerts: @alerts.values, musters: @musters.values, acted: @acted) }
  end

  private

  # All times of the API have the same form, so that they compare as text.
  def keep_newest(held, object, as_of)
    before = held[object['id']]
    held[object['id']] = object.merge('as_of' => as_of) if before.nil? || before['as_of'] < as_of
  end
end

secret = ENV.fetch('SANDBOX_WEBHOOK_SECRET')
store = Store.new
quiet = WEBrick::Log.new(File::NULL)
port = Integer(ENV.fetch('PORT', '3000'))
server = WEBrick::HTTPServer.new(BindAddress: '127.0.0.1', Port: port, Logger: quiet, AccessLog: [])

# For `sandbox certify --probe`; leave it out, or protect it, in production.
server.mount_proc('/state') do |_request, response|
  response['Content-Type'] = 'application/json'
  response.body = store.state
end

server.mount_proc('/') do |request, response|
  # WEBrick ignores the case of header names.
  timestamp, signature = request['X-Service-Timestamp'], request['X-Service-Signature']
  body = request.body || ''
  response.status =
    if request.request_method != 'POST' then 405
    elsif !Webhook.genuine?(timestamp, signature, body, secret) then 401
    else
      store.take(JSON.parse(body))
      204
    end
end

Thread.new { Poller.new(store).run } if ENV['SANDBOX_API_URL']
trap('TERM') { server.shutdown }
trap('INT') { server.shutdown }
server.start
