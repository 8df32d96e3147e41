using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.Serialization.Json;
using System.Text;
using System.Xml;
using System.Xml.Linq;

/// <summary>JSON as elements, by what .NET and Mono both have: use System.Text.Json in your project.</summary>
public static class Json
{
    public static XElement Parse(byte[] text)
    {
        using (var reader = JsonReaderWriterFactory.CreateJsonReader(text, XmlDictionaryReaderQuotas.Max))
            return XElement.Load(reader);
    }

    /// <summary>The text of a member; null where it is absent or null.</summary>
    public static string Text(XElement element, string name)
    {
        XElement member = Member(element, name);
        return member == null ? null : member.Value;
    }

    /// <summary>A member; null where it is absent or null.</summary>
    public static XElement Member(XElement element, string name)
    {
        XElement member = element == null ? null : element.Element(name);
        return member == null || (string)member.Attribute("type") == "null" ? null : member;
    }

    public static string Write(string text)
    {
        var quoted = new StringBuilder("\"");
        foreach (char one in text)
            if (one == '"' || one == '\\') quoted.Append('\\').Append(one);
            else if (one < ' ') quoted.Append("\\u").Append(((int)one).ToString("x4"));
            else quoted.Append(one);
        return quoted.Append('"').ToString();
    }

    public static string Write(IEnumerable<string> parts)
    {
        return "[" + string.Join(",", parts) + "]";
    }
}
