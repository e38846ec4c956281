/** Maximum size of a request body, bytes (ruling M58). */
export const MAX_BODY_BYTES = 2 ** 20

/** Maximum number of alerts listed in a message for people; Slack does not show longer messages. */
export const MAX_LISTED_ALERTS = 20

/** Maximum length of a line or summary in a message for people, UTF-16 units: PagerDuty's limit. */
export const MAX_LINE_CHARS = 1024

const encoder = new TextEncoder()

export function isTooLarge(body: string): boolean {
  return body.length > MAX_BODY_BYTES || encoder.encode(body).length > MAX_BODY_BYTES
}

/** Truncates a string to `MAX_LINE_CHARS` on one line, without splitting a surrogate pair. */
export function oneLine(text: string): string {
  const line = text.replaceAll(/[\r\n]+/g, ' ')
  return line.length <= MAX_LINE_CHARS ? line : `${line.slice(0, MAX_LINE_CHARS - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}
