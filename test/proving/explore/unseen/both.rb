# A control room that takes deliveries and reconciles by polling, so that a lost delivery costs at most one interval.
#
# Threads: those of the HTTP server, which take deliveries under a lock, and one that makes all calls of the API, from a queue.
# Without wake calls it reconciles every 10 s of wall time. The first POST /poll makes the wake calls its clock.
# BUG=<name> plants one bug of bugs.json.

require 'json'
require 'monitor'
require 'openssl'
require 'time'
require 'webrick'
require_relative 'both_api'

$stdout.sync = true
BUG = ENV.fetch('BUG', '')
ON_CALL = %w[shift-lead safety-officer].freeze

def log(*words) = puts(words.join(' '))

# What the control room knows, from one reset to the next.
class Room
  include MonitorMixin
  attr_reader :alerts, :musters, :missing, :pages, :journal, :acted, :acknowledged, :pace

  def initialize(env)
    super()
    @pace = Pace.new
    @api = Api.new(env, @pace)
    @secrets = [env['SANDBOX_WEBHOOK_SECRET_INBOX'] || env['SANDBOX_WEBHOOK_SECRET']]
    @alerts = {}
    @musters = {}
    @muster_event_at = {}
    @missing = {}
    @seen = {}
    @pages = []
    @paged_at = {}
    @paged_by_poll = {}
    @journal = []
    @acted = []
    @acknowledged = []
    @changes = 0
    @changed_at = {}
    @errands = []
    @wanted = new_cond
    @idle = new_cond
    @busy = false
    @over = false
    @thread = Thread.new { run_errands }
    want(:reconcile)
  end

  def close
    synchronize { @over = true; @wanted.broadcast; @idle.broadcast }
  end

  # -- deliveries

  def genuine?(headers, body)
    stamp = headers['x-service-timestamp']&.first.to_s
    return false unless stamp.match?(/\A\d{1,12}\z/) && (Time.now.to_i - stamp.to_i).abs <= 300

    given = headers['x-service-signature'].to_a.join(',').split(',').map(&:strip)
    synchronize { valid_secrets }.any? do |secret|
      right = "v1=#{OpenSSL::HMAC.hexdigest('SHA256', secret, "#{stamp}.#{body}")}"
      given.any? { |one| one.bytesize == right.bytesize && OpenSSL.fixed_length_secure_compare(one, right) }
    end
  end

  # After a rotation both secrets are good for a day. The second rotation retires the oldest.
  def rotate(secret)
    synchronize do
      if BUG == 'second-rotation'
        # The old secret signs for another day, so the new one takes over then.
        @next_secret = [secret, @pace.now + 86_400]
      else
        @secrets = [secret, @secrets.first]
      end
    end
  end

  def valid_secrets
    if @next_secret && @pace.now >= @next_secret[1]
      @secrets = [@next_secret[0]]
      @next_secret = nil
    end
    @secrets
  end

  def take(event)
    synchronize do
      object = event.dig('data', 'alert') || event.dig('data', 'muster')
      @journal << { id: event['id'], type: event['type'] } if BUG == 'counted-twice'
      next if @seen[event['id']]

      if event['organization_id'].nil?
        log('test event', event['id'])
      elsif event.dig('data', 'alert')
        merge_alert(object, event['type'])
      elsif event.dig('data', 'muster')
        merge_muster_event(object, event['created_at'])
      end
      @seen[event['id']] = true
      @acted << event['id']
      @journal << { id: event['id'], type: event['type'] } unless BUG == 'counted-twice'
    end
  end

  def merge_alert(alert, source)
    id = alert['id']
    held = @alerts[id]
    version = Time.iso8601(alert['date_last_modified'])
    newer = held.nil? || version >= Time.iso8601(held['date_last_modified'])
    if newer
      @alerts[id] = alert
      @changed_at[id] = (@changes += 1)
    end
    escalate(id, version, held, newer, source)
  end

  def waiting?(alert)
    return false unless alert['status'] == 'unacknowledged'

    !(BUG == 'watch-acknowledges' && alert['worker_acknowledged_at'])
  end

  # One page for each person each time that the alert is raised, in whatever order its events come.
  def escalate(id, version, held, newer, source)
    alert = @alerts[id]
    return unless alert['severity'] == 'critical' && waiting?(alert)

    paged = @paged_at[id]
    paged = nil if BUG == 'poll-pages-too' && source == 'poll' && !@paged_by_poll[id]
    raised_again = (newer && held && held['status'] != 'unacknowledged') ||
                   (source == 'alert.reopened' && paged && version > paged)
    if paged.nil? || raised_again
      cause = paged.nil? ? 'raised' : "again #{alert['date_last_modified']}"
      ON_CALL.each do |person|
        @pages << { id: "#{id} #{person} #{cause}", alert: id, person: person }
        log('page', person, alert['title'], alert.dig('worker', 'name') || 'no name')
      end
      @paged_at[id] = Time.iso8601(alert['date_last_modified'])
    end
    @paged_by_poll[id] = true if source == 'poll'
    want([:acknowledge, id])
  end

  def key_of(muster) = BUG == 'muster-by-site' ? muster['site']['id'] : muster['id']

  def merge_muster_event(muster, created_at)
    key = key_of(muster)
    at = Time.iso8601(created_at)
    unless BUG == 'muster-by-site'
      return if @muster_event_at[key] && @muster_event_at[key] >= at
      return if @musters[key] && @musters[key]['status'] != 'active'
    end

    @muster_event_at[key] = at
    keep_muster(muster)
    want([:muster, muster['id']]) if muster['status'] == 'active'
  end

  def keep_muster(muster)
    key = key_of(muster)
    @musters[key] = muster
    @changed_at[key] = (@changes += 1)
    @missing.delete(muster['id']) if muster['status'] != 'active'
  end

  # -- what the API is asked

  def want(errand, not_before = 0)
    synchronize do
      waiting = @errands.find { |one, _| one == errand }
      if waiting
        waiting[1] = [waiting[1], not_before].min if not_before.zero?
      else
        @errands << [errand, not_before]
      end
      @wanted.signal
    end
  end

  def wake
    synchronize do
      @pace.tick
      want(:reconcile)
      settle
    end
  end

  # Waits until nothing is due any more; at most 5 s.
  def settle
    deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 5
    @wanted.signal
    while !@over && (@busy || @errands.any? { |_, at| at <= @pace.now })
      left = deadline - Process.clock_gettime(Process::CLOCK_MONOTONIC)
      break if left <= 0

      @idle.wait(left)
    end
  end

  def run_errands
    loop do
      errand = synchronize do
        @busy = false
        @idle.broadcast
        @wanted.wait(1) until @over || (next_one = @errands.find { |_, at| at <= @pace.now })
        break if @over

        @errands.delete(next_one)
        @busy = true
        next_one[0]
      end
      break if errand.nil?

      begin
        perform(errand)
      rescue Later => e
        log('later:', e.message)
        want(errand, e.at)
      rescue StandardError => e
        log('error', e.full_message(highlight: false))
        want(errand, @pace.now + RETRY_S)
      end
    end
  end

  def perform(errand)
    case errand
    when :reconcile then reconcile
    when Array then errand[0] == :acknowledge ? acknowledge(errand[1]) : refresh(errand[1])
    end
  end

  def acknowledge(id)
    return unless synchronize { waiting?(@alerts[id]) }

    code, alert = @api.call('PATCH', "/v1/alerts/#{id}", { status: 'acknowledged', actor: { name: 'Control room' } })
    code, alert = @api.call('GET', "/v1/alerts/#{id}") if code == 409
    if code == 200
      synchronize do
        @acknowledged << id
        merge_alert(alert, 'answer')
      end
    else
      log('cannot acknowledge', id, code)
    end
  end

  def refresh(id)
    before = synchronize { @changes }
    code, muster = @api.call('GET', "/v1/musters/#{id}")
    return unless code == 200

    synchronize { merge_polled_muster(muster, before) }
    fetch_missing(id)
  end

  def merge_polled_muster(muster, before)
    key = key_of(muster)
    held = @musters[key]
    # A delivery that came in the meantime may be newer than this answer; it asks again by itself.
    return if held && (held['status'] != 'active' || @changed_at[key] > before)

    keep_muster(muster)
  end

  def fetch_missing(id)
    code, answer = @api.call('GET', "/v1/musters/#{id}/missing")
    return unless code == 200

    synchronize { @missing[id] = answer['data'] if active_musters.any? { |muster| muster['id'] == id } }
  end

  # What is open now. What is held as open and not listed was closed, or is no longer ours to see.
  def reconcile
    before = synchronize { @changes }
    alerts = @api.walk('/v1/alerts?status=unacknowledged&status=acknowledged')
    synchronize do
      listed = alerts.to_h { |alert| [alert['id'], true] }
      alerts.each { |alert| merge_alert(alert, 'poll') }
      open_alerts.each do |alert|
        next if listed[alert['id']] || @changed_at[alert['id']] > before

        @alerts[alert['id']] = alert.merge('status' => 'resolved')
      end
    end
    before = synchronize { @changes }
    musters = @api.walk('/v1/musters?status=active')
    synchronize do
      listed = musters.to_h { |muster| [muster['id'], true] }
      musters.each { |muster| merge_polled_muster(muster, before) }
      active_musters.each do |muster|
        next if listed[muster['id']] || @changed_at[key_of(muster)] > before

        @musters.delete(key_of(muster))
        @missing.delete(muster['id'])
      end
    end
    musters.each { |muster| fetch_missing(muster['id']) }
  end

  # -- views

  def attended = @paged_at.keys | @alerts.values.reject { |alert| waiting?(alert) }.map { |alert| alert['id'] }

  def open_alerts = @alerts.values.reject { |alert| alert['status'] == 'resolved' }

  def active_musters
    @musters.values.select do |muster|
      muster['status'] == 'active' && (BUG != 'inspecting-ended' || muster['phase'] == 'evacuating')
    end
  end
end

ALERT_KEYS = %w[id type severity status title date_last_modified simulated].freeze
MUSTER_KEYS = %w[id kind phase status totals].freeze

def chosen(items, query, keys)
  items.select { |item| query.all? { |key, value| item[key].to_s == value } }.map { |item| item.slice(*keys) }
end

def view(room, path, query)
  room.synchronize do
    case path
    when '/health' then { ok: true }
    when '/open-alerts'
      held = room.open_alerts.map { |a| a.merge('status' => room.waiting?(a) ? 'unacknowledged' : 'acknowledged') }
      { alerts: chosen(held, query, ALERT_KEYS) }
    when '/musters' then { musters: chosen(room.active_musters, query, MUSTER_KEYS) }
    when '/missing' then room.missing.map { |id, people| { muster: id, people: people } }
    when '/pages' then room.pages
    # Alerts that somebody was paged for, or that no longer waited when the room heard of them.
    when '/attended' then room.attended
    when '/journal' then room.journal
    when '/acknowledgements' then room.acknowledged
    when '/state'
      { alerts: room.alerts.values.map { |alert| alert.slice(*ALERT_KEYS) },
        musters: room.musters.values.map { |muster| muster.slice(*MUSTER_KEYS) }, acted: room.acted }
    end
  end
end

room = Room.new(ENV.to_h)
gate = Monitor.new

server = WEBrick::HTTPServer.new(
  Port: Integer(ENV.fetch('PORT')), BindAddress: '127.0.0.1', DoNotReverseLookup: true, AccessLog: [],
  Logger: WEBrick::Log.new($stdout, WEBrick::Log::WARN), MaxClients: 200
)

server.mount_proc('/') do |request, response|
  response['Content-Type'] = 'application/json'
  current = gate.synchronize { room }
  if request.request_method == 'GET'
    body = view(current, request.path, request.query)
    response.status = body.nil? ? 404 : 200
    response.body = JSON.generate(body) unless body.nil?
    next
  end
  body = request.body.to_s
  response.status = 200
  response.body = '{}'
  case request.path
  when '/hook'
    if current.genuine?(request.header, body)
      begin
        event = JSON.parse(body)
      rescue JSON::ParserError
        log('a signed body that is no JSON')
        next
      end
      current.take(event)
    else
      response.status = 401
    end
  when '/reset'
    gate.synchronize do
      room.close
      room = Room.new(JSON.parse(body))
    end
  when '/secret' then current.rotate(JSON.parse(body)['secret'])
  when '/poll' then current.wake
  else response.status = 404
  end
end

Thread.new do
  loop do
    sleep EVERY_S
    gate.synchronize { room }.then { |current| current.want(:reconcile) unless current.pace.driven? }
  end
end
trap('TERM') { exit!(0) }
trap('INT') { exit!(0) }
log('listening on', ENV.fetch('PORT'))
server.start
