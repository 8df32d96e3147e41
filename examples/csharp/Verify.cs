using System;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;

/// <summary>Verifies a webhook delivery. No dependencies: copy this file.</summary>
public static class Verify
{
    private const double ToleranceSeconds = 300;

    /// <summary>True for a genuine delivery that is no older (and no newer) than 5 minutes.</summary>
    /// <param name="body">The raw request body, before any parser and before model binding.</param>
    /// <param name="secret">The whole text that starts with whsec_.</param>
    /// <param name="signature">During a rotation it holds two signatures; either may fit.</param>
    public static bool IsGenuine(string timestamp, string signature, byte[] body, string secret, DateTimeOffset now)
    {
        if (timestamp == null || signature == null || !Regex.IsMatch(timestamp, @"\A[0-9]{1,12}\z")) return false;
        double apart = now.ToUnixTimeMilliseconds() / 1000.0 - long.Parse(timestamp);
        if (Math.Abs(apart) > ToleranceSeconds) return false;
        byte[] prefix = Encoding.UTF8.GetBytes(timestamp + ".");
        byte[] message = new byte[prefix.Length + body.Length];
        prefix.CopyTo(message, 0);
        body.CopyTo(message, prefix.Length);
        byte[] expected;
        using (var hmac = new HMACSHA256(Encoding.UTF8.GetBytes(secret)))
            expected = Encoding.UTF8.GetBytes("v1=" + BitConverter.ToString(hmac.ComputeHash(message)).Replace("-", "").ToLowerInvariant());
        bool fits = false;
        foreach (string one in signature.Split(','))
            fits |= Same(Encoding.UTF8.GetBytes(one.Trim()), expected);
        return fits;
    }

    /// <summary>In constant time; the length is no secret. In .NET: CryptographicOperations.FixedTimeEquals.</summary>
    private static bool Same(byte[] given, byte[] expected)
    {
        if (given.Length != expected.Length) return false;
        int different = 0;
        for (int i = 0; i < given.Length; i++) different |= given[i] ^ expected[i];
        return different == 0;
    }
}
