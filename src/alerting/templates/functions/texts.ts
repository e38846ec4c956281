import { compileRegexp, regexpFault, work, type Regexp, type RegexpMatch } from '../../../base/index.ts'
import { isPrintable, parseIpv4, parseIpv6 } from '../../../data/index.ts'
import { ExpansionFault } from '../faults.ts'
import { outputAll, printf, print, println } from '../format/printf.ts'
import type { GoValue } from '../values.ts'
import { onStrings, type FunctionTable, type TemplateFunction } from './definition.ts'

/** Applies a change to each character; a character that would become several stays, as in Go. */
function mapChars(text: string, change: (char: string) => string): string {
  return Array.from(text, (char) => {
    const changed = change(char)
    return Array.from(changed).length === 1 ? changed : char
  }).join('')
}

const upper = (text: string): string => mapChars(text, (char) => char.toUpperCase())
const lower = (text: string): string => mapChars(text, (char) => char.toLowerCase())

/**
 * First letters of words, by Unicode's word boundaries (UAX 29): a point, colon or apostrophe between letters is part of
 * a word, so `example.com` is one.
 */
const WORD_START = /(?<![\p{L}\p{M}\p{Nd}_]|\p{L}[.:·'’‘])\p{L}/gu

function title(text: string): string {
  return text.replaceAll(WORD_START, upper)
}

function compile(pattern: string): Regexp {
  const fault = regexpFault(pattern)
  if (fault !== undefined) throw new ExpansionFault(`${JSON.stringify(pattern)} is not a regular expression: ${fault}`)
  // Prometheus leaves out newlines from `.` here.
  return compileRegexp(`(?-s)${pattern}`, false)
}

const REFERENCE = /\$(?:\$|\{([\p{L}\p{Nd}_]+)\}|([\p{L}\p{Nd}_]+))/gu

/** Replaces `$1`, `${1}`, `$name` and `${name}` by groups of a match, `$$` by a dollar sign. */
function substitute(replacement: string, text: string, match: RegexpMatch, { groupNames }: Regexp): string {
  return replacement.replaceAll(REFERENCE, (_, braced?: string, bare?: string) => {
    const name = braced ?? bare
    if (name === undefined) return '$'
    const group = /^\d+$/.test(name) ? Number(name) : groupNames.lastIndexOf(name)
    const start = group < 0 ? -1 : (match[2 * group] ?? -1)
    return start === -1 ? '' : text.slice(start, match[2 * group + 1])
  })
}

function replaceAll(pattern: string, replacement: string, text: string, checkLength: (chars: number) => void): string {
  work(pattern.length * text.length)
  const regexp = compile(pattern)
  let output = ''
  let copied = 0
  for (let from = 0; from <= text.length;) {
    const match = regexp.find(text, from)
    if (match === undefined) break
    const [start = 0, end = 0] = match
    output += text.slice(copied, start)
    // An empty match right after another match is none.
    if (end > copied || start === 0) output += substitute(replacement, text, match, regexp)
    checkLength(output.length)
    copied = end
    const width = String.fromCodePoint(text.codePointAt(from) ?? 0).length
    from = Math.max(end, from + width)
  }
  return output + text.slice(copied)
}

/** Splits `host:port` or `[host]:port`; `undefined` for other texts. */
function splitHostPort(text: string): { readonly host: string; readonly port: string } | undefined {
  const [, bracketed, plain, port = ''] = /^(?:\[([^[\]]*)\]|([^:[\]]*)):([^:[\]]*)$/.exec(text) ?? []
  const host = bracketed ?? plain
  return host === undefined ? undefined : { host, port }
}

/** True for an IP address; an IPv4 part with a leading zero, which some read as octal, makes it a name. */
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

const HTML: Readonly<Record<string, string>> = {
  '\0': '\ufffd',
  '"': '&#34;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
}

function jsEscape(text: string): string {
  let escaped = ''
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0
    const isEscape = code < 0x20 || '<>&='.includes(char) || (code >= 0x80 && !isPrintable(char))
    if (`\\'"`.includes(char)) escaped += `\\${char}`
    else escaped += isEscape ? `\\u${code.toString(16).toUpperCase().padStart(4, '0')}` : char
  }
  return escaped
}

/** Escapes a string for the query part of a URL, with `+` for spaces. */
export function queryEscape(text: string): string {
  const escaped = encodeURIComponent(text.toWellFormed())
  return escaped
    .replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
}

function onAll(call: (args: readonly GoValue[]) => string): TemplateFunction {
  return { parameters: [], rest: 'any', call: (args) => call(args) }
}

export const textFunctions: FunctionTable = {
  print: onAll(print),
  println: onAll(println),
  printf: {
    parameters: ['string'],
    rest: 'any',
    call: ([format, ...args], { budget }) => printf(format as string, args, (chars) => budget.checkLength(chars)),
  },
  html: onAll((args) => outputAll(args).replaceAll(/[\0"'&<>]/g, (char) => HTML[char] ?? char)),
  js: onAll((args) => jsEscape(outputAll(args))),
  urlquery: onAll((args) => queryEscape(outputAll(args))),
  urlQueryEscape: onStrings(1, (text = '') => queryEscape(text)),
  safeHtml: onStrings(1, (text = '') => text),
  title: onStrings(1, (text = '') => title(text)),
  toUpper: onStrings(1, (text = '') => upper(text)),
  toLower: onStrings(1, (text = '') => lower(text)),
  match: onStrings(2, (pattern = '', text = '') => {
    work(pattern.length * text.length)
    return compile(pattern).test(text)
  }),
  reReplaceAll: {
    parameters: ['string', 'string', 'string'],
    call: (args, { budget }) => {
      const [pattern = '', replacement = '', text = ''] = args as string[]
      return replaceAll(pattern, replacement, text, (chars) => budget.checkLength(chars))
    },
  },
  stripPort: onStrings(1, (text = '') => splitHostPort(text)?.host ?? text),
  stripDomain: onStrings(1, (text = '') => stripDomain(text)),
}
