/** Largest body of a request, in bytes (ruling M58). */
export const MAX_BODY_BYTES = 2 ** 20

/** Alerts listed in a message for people, as Slack shows no longer text. */
export const MAX_LISTED_ALERTS = 20

/** UTF-16 units of one line in a message for people, and of a summary: PagerDuty's limit. */
export const MAX_LINE_CHARS = 1024

const encoder = new TextEncoder()

export function isTooLarge(body: string): boolean {
  return body.length > MAX_BODY_BYTES || encoder.encode(body).length > MAX_BODY_BYTES
}

/** Cuts a string to `MAX_LINE_CHARS`, without a half of a surrogate pair, and makes it one line. */
export function oneLine(text: string): string {
  const line = text.replaceAll(/[\r\n]+/g, ' ')
  return line.length <= MAX_LINE_CHARS ? line : `${line.slice(0, MAX_LINE_CHARS - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}
