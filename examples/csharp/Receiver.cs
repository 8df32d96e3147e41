using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using System.Xml.Linq;

/// <summary>In memory, to keep the example short: use your database, with a unique key on the event id.</summary>
public sealed class Store
{
    private sealed class Held
    {
        public string AsOf, Status, Simulated, Location;
    }

    private readonly HashSet<string> seen = new HashSet<string>();
    private readonly Dictionary<string, Held> alerts = new Dictionary<string, Held>();
    private readonly Dictionary<string, Held> musters = new Dictionary<string, Held>();
    private readonly List<string> acted = new List<string>();

    /// <summary>Deliveries come more than once, out of order, and beside what the poller fetched: all come through here.</summary>
    public void Take(XElement happened)
    {
        lock (seen)
        {
            string id = Json.Text(happened, "id");
            if (!seen.Add(id)) return;
            // A test event proves the connection; the API knows no such alert.
            if (Json.Text(happened, "organization_id") == null) return;
            XElement data = Json.Member(happened, "data");
            XElement alert = Json.Member(data, "alert"), muster = Json.Member(data, "muster");
            if (alert != null) KeepNewest(alerts, alert, Json.Text(alert, "date_last_modified"));
            if (muster != null) KeepNewest(musters, muster, Json.Text(happened, "created_at"));
            // Here the work begins that may take long: page somebody, open a door, write a report.
            acted.Add(id);
        }
    }

    /// <summary>All times of the API have the same form, so that they compare as text.</summary>
    private static void KeepNewest(Dictionary<string, Held> held, XElement one, string asOf)
    {
        string id = Json.Text(one, "id");
        Held before;
        if (held.TryGetValue(id, out before) && string.CompareOrdinal(before.AsOf, asOf) >= 0) return;
        held[id] = new Held { AsOf = asOf, Status = Json.Text(one, "status"), Simulated = Json.Text(one, "simulated") ?? "false", Location = Place(one) };
    }

    /// <summary>Null without a position. It must not become 0, 0.</summary>
    private static string Place(XElement alert)
    {
        XElement location = Json.Member(alert, "location");
        string latitude = Json.Text(location, "latitude"), longitude = Json.Text(location, "longitude");
        return latitude == null || longitude == null ? "null" : "{\"latitude\":" + latitude + ",\"longitude\":" + longitude + "}";
    }

    public string State()
    {
        lock (seen)
        {
            var a = alerts.Select(one => "{\"id\":" + Json.Write(one.Key) + ",\"status\":" + Json.Write(one.Value.Status)
                + ",\"date_last_modified\":" + Json.Write(one.Value.AsOf) + ",\"simulated\":" + one.Value.Simulated + ",\"location\":" + one.Value.Location + "}");
            var m = musters.Select(one => "{\"id\":" + Json.Write(one.Key) + ",\"status\":" + Json.Write(one.Value.Status) + "}");
            return "{\"alerts\":" + Json.Write(a) + ",\"musters\":" + Json.Write(m) + ",\"acted\":" + Json.Write(acted.Select(one => Json.Write(one))) + "}";
        }
    }
}

/// <summary>A webhook receiver: verifies, stores each event once, answers at once, and works afterwards.</summary>
public static class Receiver
{
    private const int MostBytes = 1024 * 1024;

    public static void Main()
    {
        string secret = Environment.GetEnvironmentVariable("SANDBOX_WEBHOOK_SECRET");
        if (string.IsNullOrEmpty(secret)) throw new InvalidOperationException("SANDBOX_WEBHOOK_SECRET is not set.");
        var store = new Store();
        string port = Environment.GetEnvironmentVariable("PORT") ?? "3000";
        var listener = new HttpListener();
        listener.Prefixes.Add("http://127.0.0.1:" + port + "/");
        listener.Start();
        string api = Environment.GetEnvironmentVariable("SANDBOX_API_URL");
        if (api != null) new Thread(new Poller(api, store.Take).Run) { IsBackground = true }.Start();
        while (true)
        {
            HttpListenerContext context = listener.GetContext();
            Task.Run(() => Answer(context, secret, store));
        }
    }

    private static void Answer(HttpListenerContext context, string secret, Store store)
    {
        HttpListenerResponse response = context.Response;
        try
        {
            // For `sandbox certify --probe`; leave it out, or protect it, in production.
            if (context.Request.HttpMethod == "GET" && context.Request.Url.AbsolutePath == "/state")
            {
                byte[] state = Encoding.UTF8.GetBytes(store.State());
                response.ContentType = "application/json";
                response.ContentLength64 = state.Length;
                response.OutputStream.Write(state, 0, state.Length);
            }
            else response.StatusCode = Receive(context.Request, secret, store);
        }
        catch (Exception)
        {
            response.StatusCode = 500;
        }
        finally
        {
            response.Close();
        }
    }

    private static int Receive(HttpListenerRequest request, string secret, Store store)
    {
        if (request.HttpMethod != "POST") return 405;
        if (request.ContentLength64 > MostBytes) return 413;
        byte[] body;
        using (var bytes = new MemoryStream())
        {
            request.InputStream.CopyTo(bytes);
            body = bytes.ToArray();
        }
        // The collection of headers ignores the case of names.
        string timestamp = request.Headers["X-Service-Timestamp"], signature = request.Headers["X-Service-Signature"];
        if (!Verify.IsGenuine(timestamp, signature, body, secret, DateTimeOffset.UtcNow)) return 401;
        store.Take(Json.Parse(body));
        return 204;
    }
}
