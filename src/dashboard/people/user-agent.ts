/** In this order: most browsers also name those that they descend from. */
const browsers = [
  [/\bEdg(?:A|iOS)?\//, "Edge"],
  [/\b(?:OPR|OPT)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|Chromium|HeadlessChrome|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/^curl\//, "curl"],
] as const;

const systems = [
  [/\b(?:iPhone|iPod)\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
] as const;

/** `Firefox on Windows` of a header `User-Agent`: enough for people to know their browser again. Null if neither is known. */
export function describeUserAgent(header: string | undefined): string | null {
  const nameIn = (names: readonly (readonly [RegExp, string])[]): string | undefined =>
    names.find(([pattern]) => pattern.test(header ?? ""))?.[1];
  const browser = nameIn(browsers);
  const system = nameIn(systems);
  if (browser === undefined || system === undefined) return browser ?? system ?? null;
  return `${browser} on ${system}`;
}
