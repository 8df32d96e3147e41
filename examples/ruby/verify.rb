# Verifies a webhook delivery. No dependencies: copy this file.
require 'openssl'

module Webhook
  TOLERANCE_S = 300

  # True for a genuine delivery that is no older (and no newer) than 5 minutes.
  #
  # body: the raw request body, before any parser (Rails: request.raw_post, Rack: request.body.read).
  # secret: the whole text that starts with whsec_.
  # During a rotation the signature header holds two signatures; either may fit.
  def self.genuine?(timestamp, signature, body, secret, now = Time.now.to_f)
    return false unless timestamp&.match?(/\A[0-9]{1,12}\z/) && signature
    return false if (now - timestamp.to_i).abs > TOLERANCE_S

    expected = "v1=#{OpenSSL::HMAC.hexdigest('SHA256', secret, "#{timestamp}.".b + body.b)}"
    signature.b.split(',').any? { |one| same?(one.strip, expected) }
  end

  # In constant time; the length is no secret.
  def self.same?(given, expected)
    given.bytesize == expected.bytesize && OpenSSL.fixed_length_secure_compare(given, expected)
  end
end
