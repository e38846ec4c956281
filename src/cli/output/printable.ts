// oxlint-disable-next-line no-control-regex -- a log line must not steer the terminal
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Control characters and those that turn the direction of writing are shown, not sent to the terminal. */
export function printable(text: string): string {
  return text.replaceAll(CONTROL, (character) => {
    if (character === '\n') return '⏎'
    if (character === '\t') return ' '
    const code = character.charCodeAt(0)
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16)}`
  })
}
