using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Net;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Threading;
using System.Xml.Linq;

/// <summary>Fills gaps: fetches what no delivery brought from GET /v1/events, at the start and every minute.</summary>
public sealed class Poller
{
    private static readonly double EverySeconds =
        double.Parse(Environment.GetEnvironmentVariable("POLL_SECONDS") ?? "60", CultureInfo.InvariantCulture);

    private readonly HttpClient http = new HttpClient { Timeout = TimeSpan.FromSeconds(30) };
    private readonly string api;
    private readonly Action<XElement> take;
    private string token;
    /// <summary>To be the created_at of the last event that your database holds; null means the last 30 days.</summary>
    private string last;

    public Poller(string api, Action<XElement> take)
    {
        this.api = api;
        this.take = take;
    }

    public void Run()
    {
        while (true)
        {
            try
            {
                Fetch();
            }
            catch (Exception error)
            {
                Console.Error.WriteLine("Events are fetched again in " + EverySeconds + " s: " + error.GetBaseException().Message);
            }
            Thread.Sleep((int)(EverySeconds * 1000));
        }
    }

    private void Fetch()
    {
        string query = "/v1/events?limit=200" + (last == null ? "" : "&created_after=" + Uri.EscapeDataString(last));
        for (string cursor = ""; cursor != null;)
        {
            XElement page = Get(query + (cursor == "" ? "" : "&cursor=" + Uri.EscapeDataString(cursor)));
            foreach (XElement happened in page.Element("data").Elements())
            {
                take(happened);
                last = Json.Text(happened, "created_at");
            }
            cursor = Json.Text(page, "next_cursor");
        }
    }

    /// <summary>One GET: a token that has ended is renewed once, and a limit is waited for.</summary>
    private XElement Get(string path)
    {
        bool renewed = false;
        while (true)
        {
            token = token ?? NewToken();
            var request = new HttpRequestMessage(HttpMethod.Get, api + path);
            request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", token);
            using (HttpResponseMessage answer = http.SendAsync(request).Result)
            {
                int status = (int)answer.StatusCode;
                if (status == 200) return Json.Parse(answer.Content.ReadAsByteArrayAsync().Result);
                if (status == 401 && !renewed)
                {
                    token = null;
                    renewed = true;
                }
                else if (status == 429)
                {
                    TimeSpan? after = answer.Headers.RetryAfter == null ? null : answer.Headers.RetryAfter.Delta;
                    Thread.Sleep(after ?? TimeSpan.FromSeconds(1));
                }
                else throw new InvalidOperationException("GET " + path + ": " + status);
            }
        }
    }

    private string NewToken()
    {
        var form = new Dictionary<string, string>
        {
            { "grant_type", "client_credentials" },
            { "client_id", Environment.GetEnvironmentVariable("SANDBOX_CLIENT_ID") },
            { "client_secret", Environment.GetEnvironmentVariable("SANDBOX_CLIENT_SECRET") },
        };
        using (HttpResponseMessage answer = http.PostAsync(api + "/v1/oauth/token", new FormUrlEncodedContent(form)).Result)
        {
            if (!answer.IsSuccessStatusCode) throw new InvalidOperationException("No token: " + (int)answer.StatusCode);
            return Json.Text(Json.Parse(answer.Content.ReadAsByteArrayAsync().Result), "access_token");
        }
    }
}
