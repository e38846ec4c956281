import { work } from '../../../base/index.ts'
import { parseIpv4, parseIpv6 } from '../../../data/index.ts'
import {
  compilePattern,
  lowerText,
  onStrings,
  queryEscape,
  replaceMatches,
  upperText,
  type FunctionTable,
} from '../../../functions/go-template/index.ts'

/**
 * Matches the first letter of a word by Unicode's word boundaries (UAX 29). A point, colon or apostrophe between
 * letters does not end a word, so `example.com` is one word.
 */
const WORD_START = /(?<![\p{L}\p{M}\p{Nd}_]|\p{L}[.:·'’‘])\p{L}/gu

function title(text: string): string {
  return text.replaceAll(WORD_START, upperText)
}

/** Splits `host:port` or `[host]:port`; `undefined` for other texts. */
function splitHostPort(text: string): { readonly host: string; readonly port: string } | undefined {
  const [, bracketed, plain, port = ''] = /^(?:\[([^[\]]*)\]|([^:[\]]*)):([^:[\]]*)$/.exec(text) ?? []
  const host = bracketed ?? plain
  return host === undefined ? undefined : { host, port }
}

/** True for an IP address. An IPv4 part with a leading zero is not valid, since some parsers read it as octal. */
function isAddress(host: string): boolean {
  return (
    (parseIpv4(host) !== undefined && !/(?:^|\.)0\d/.test(host)) ||
    (host.includes(':') && parseIpv6(host) !== undefined)
  )
}

function stripDomain(text: string): string {
  const { host, port } = splitHostPort(text) ?? { host: text, port: '' }
  if (isAddress(host)) return text
  const first = host.split('.')[0] ?? ''
  if (port === '') return first
  return first.includes(':') ? `[${first}]:${port}` : `${first}:${port}`
}

export const textFunctions: FunctionTable = {
  urlQueryEscape: onStrings(1, (text = '') => queryEscape(text)),
  safeHtml: onStrings(1, (text = '') => text),
  title: onStrings(1, (text = '') => title(text)),
  toUpper: onStrings(1, (text = '') => upperText(text)),
  toLower: onStrings(1, (text = '') => lowerText(text)),
  match: onStrings(2, (pattern = '', text = '') => {
    work(pattern.length * text.length)
    // As in Prometheus, `.` does not match newlines here.
    return compilePattern(pattern).test(text)
  }),
  reReplaceAll: {
    parameters: ['string', 'string', 'string'],
    call: (args, { budget }) => {
      const [pattern = '', replacement = '', text = ''] = args as string[]
      return replaceMatches(pattern, text, { replacement, isLiteral: false }, (chars) => budget.checkLength(chars))
    },
  },
  stripPort: onStrings(1, (text = '') => splitHostPort(text)?.host ?? text),
  stripDomain: onStrings(1, (text = '') => stripDomain(text)),
}
