import { ROW_WORK, work } from '../../../base/index.ts'
import { escapeCodePoint, isPrintable } from '../../../data/index.ts'
import { ExpansionFault } from '../faults.ts'
import { templateLimits } from '../limits.ts'
import { GoDuration, GoInt64, GoMap, GoStruct, GoTime, isList, typeName, type GoValue } from '../values.ts'
import { formatFloat, SHORTEST, type FloatVerb } from './float.ts'
import { durationText, timeText } from './time.ts'
import { utf8Bytes } from './utf8.ts'

/** One directive of a `printf` format, such as `%-8.2f`. */
export interface Directive {
  readonly verb: string
  readonly width: number | undefined
  readonly precision: number | undefined
  /** True to pad on the right instead of the left. */
  readonly isLeft: boolean
  readonly isZeroPadded: boolean
  readonly hasPlus: boolean
  readonly hasSpace: boolean
  readonly isAlternate: boolean
  /** True for `%+v`, which prints structs with the names of their fields. */
  readonly isNamed: boolean
  /** True for `%#v`, which prints values in Go syntax. */
  readonly isSource: boolean
}

/** The directive `%v` without flags. */
const plainDirective: Directive = {
  verb: 'v',
  width: undefined,
  precision: undefined,
  isLeft: false,
  isZeroPadded: false,
  hasPlus: false,
  hasSpace: false,
  isAlternate: false,
  isNamed: false,
  isSource: false,
}

function pad(text: string, { width = 0, isLeft, isZeroPadded }: Directive): string {
  const missing = width - Array.from(text).length
  if (missing <= 0) return text
  return isLeft ? `${text}${' '.repeat(missing)}` : `${(isZeroPadded ? '0' : ' ').repeat(missing)}${text}`
}

/** Pads a number with zeros between sign and digits, or with spaces before the sign. */
function padNumber(sign: string, digits: string, directive: Directive): string {
  const { width = 0, isLeft, isZeroPadded } = directive
  if (!isZeroPadded || isLeft) return pad(`${sign}${digits}`, directive)
  return `${sign}${'0'.repeat(Math.max(0, width - sign.length - digits.length))}${digits}`
}

function signOf(isNegative: boolean, { hasPlus, hasSpace }: Directive): string {
  return isNegative ? '-' : hasPlus ? '+' : hasSpace ? ' ' : ''
}

/** Quotes a string or character. If `isAscii`, characters beyond ASCII are escaped. */
function quote(text: string, mark: '"' | "'", isAscii: boolean): string {
  let quoted = mark as string
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0
    const isEscaped = isAscii && code >= 0x80
    quoted += isEscaped
      ? `\\${code > 0xffff ? 'U' : 'u'}${hex(code, code > 0xffff ? 8 : 4)}`
      : escapeCodePoint(code, mark)
  }
  return `${quoted}${mark}`
}

function hex(code: number | bigint, width: number): string {
  return code.toString(16).padStart(width, '0')
}

const RADIXES: Readonly<Record<string, { readonly radix: number; readonly prefix: string }>> = {
  v: { radix: 10, prefix: '' },
  d: { radix: 10, prefix: '' },
  b: { radix: 2, prefix: '0b' },
  o: { radix: 8, prefix: '0' },
  O: { radix: 8, prefix: '0o' },
  x: { radix: 16, prefix: '0x' },
  X: { radix: 16, prefix: '0X' },
}

function charOf(value: bigint): string {
  const isValid = value >= 0n && value <= 0x10ffffn && !(value >= 0xd800n && value <= 0xdfffn)
  return isValid ? String.fromCodePoint(Number(value)) : '\ufffd'
}

function formatInt(value: bigint, directive: Directive): string | undefined {
  const { verb, precision, isAlternate, hasPlus } = directive
  if (verb === 'c') return pad(charOf(value), directive)
  if (verb === 'q') return pad(quote(charOf(value), "'", hasPlus), directive)
  if (verb === 'U') {
    const code = `U+${hex(BigInt.asUintN(64, value), Math.max(4, precision ?? 0)).toUpperCase()}`
    const char = charOf(value)
    return pad(isAlternate && isPrintable(char) ? `${code} '${char}'` : code, directive)
  }
  const form = RADIXES[verb]
  if (form === undefined) return undefined
  // Precision 0 prints zero without any digit.
  if (precision === 0 && value === 0n) return ' '.repeat(directive.width ?? 0)
  const magnitude = (value < 0n ? -value : value).toString(form.radix)
  const digits = (verb === 'X' ? magnitude.toUpperCase() : magnitude).padStart(precision ?? 0, '0')
  const hasPrefix = verb === 'O' || (isAlternate && !(verb === 'o' && digits.startsWith('0')))
  const sign = `${signOf(value < 0n, directive)}${hasPrefix ? form.prefix : ''}`
  return precision === undefined
    ? padInt(sign, digits, directive)
    : pad(`${sign}${digits}`, { ...directive, isZeroPadded: false })
}

/** Pads an integer. When padding with zeros, Go does not count the prefix toward the width. */
function padInt(sign: string, digits: string, directive: Directive): string {
  const prefix = sign.replace(/^[-+ ]/, '')
  return padNumber(sign, digits, {
    ...directive,
    width: (directive.width ?? 0) + (directive.isZeroPadded ? prefix.length : 0),
  })
}

/** Adds the decimal point and the trailing zeros that the flag `#` requires. */
function withAllDigits(text: string, verb: FloatVerb, precision: number | undefined): string {
  const [mantissa = '', exponent] = text.split(verb === 'x' ? /(?=p)/ : /(?=e)/)
  const pointed = mantissa.includes('.') ? mantissa : `${mantissa}.`
  if (verb !== 'g' && verb !== 'x') return `${pointed}${exponent ?? ''}`
  const significant = pointed.replace('.', '').replace(/^0+/, '').length
  const missing = Math.max(0, (precision ?? 6) - Math.max(significant, mantissa === '0' ? 1 : 0))
  return `${pointed}${'0'.repeat(missing)}${exponent ?? ''}`
}

function formatFloatValue(value: number, directive: Directive): string | undefined {
  const { verb, precision, isAlternate } = directive
  if (!'vbgGxXfFeE'.includes(verb)) return undefined
  const lower = (verb === 'v' ? 'g' : verb.toLowerCase()) as FloatVerb
  const digits = precision ?? (lower === 'f' || lower === 'e' ? 6 : SHORTEST)
  const text = formatFloat(Math.abs(value), lower, digits)
  if (!Number.isFinite(value)) {
    const sign = signOf(value < 0, directive)
    const shown = Number.isNaN(value) ? `${sign}NaN` : `${sign === '' ? '+' : sign}Inf`
    return pad(shown, { ...directive, isZeroPadded: false })
  }
  const shown = isAlternate && lower !== 'b' ? withAllDigits(text, lower, precision) : text
  const cased = verb === 'G' || verb === 'X' || verb === 'E' ? shown.toUpperCase() : shown
  return padNumber(signOf(value < 0 || Object.is(value, -0), directive), cased, directive)
}

function hexBytes(text: string, { verb, precision, hasSpace, isAlternate }: Directive): string {
  const bytes = [...utf8Bytes(text)].slice(0, precision)
  const prefix = isAlternate ? '0x' : ''
  const pairs = bytes.map((byte) => hex(byte, 2))
  const shown = hasSpace
    ? pairs.map((pair) => `${prefix}${pair}`).join(' ')
    : `${bytes.length > 0 ? prefix : ''}${pairs.join('')}`
  return verb === 'X' ? shown.toUpperCase() : shown
}

function formatText(text: string, directive: Directive): string | undefined {
  const { verb, precision, hasPlus, isAlternate, isSource } = directive
  if (verb === 'x' || verb === 'X') return pad(hexBytes(text, directive), directive)
  const cut = precision === undefined ? text : Array.from(text).slice(0, precision).join('')
  if (verb === 's' || (verb === 'v' && !isSource)) return pad(cut, directive)
  if (verb !== 'q' && verb !== 'v') return undefined
  const isRaw =
    verb === 'q' && isAlternate && !Array.from(cut).some((char) => char === '`' || (char < ' ' && char !== '\t'))
  return pad(isRaw ? `\`${cut}\`` : quote(cut, '"', verb === 'q' && hasPlus), directive)
}

/** Formats a map, struct or list, with the same directive for each member. */
function formatMembers(value: GoValue, directive: Directive, depth: number): string {
  const { isNamed, isSource } = directive
  const inner = (member: GoValue): string => format(member, directive, depth + 1)
  const wrap = (open: string, members: readonly string[], close: string): string =>
    isSource ? `${typeName(value).replace('*', '')}{${members.join(', ')}}` : `${open}${members.join(' ')}${close}`
  if (value instanceof GoMap) {
    return wrap(
      'map[',
      Array.from(value.entries, ([key, member]) => `${inner(key)}:${inner(member)}`),
      ']',
    )
  }
  if (value instanceof GoStruct) {
    const hasNames = isNamed || isSource
    const shown = [...value.fields].filter(([name]) => !value.hidden.has(name))
    const members = shown.map(([name, member]) => `${hasNames ? `${name}:` : ''}${inner(member)}`)
    return `${value.isPointer && depth === 0 ? '&' : ''}${wrap('{', members, '}')}`
  }
  return wrap('[', isList(value) ? value.map((member) => inner(member)) : [], ']')
}

function format(value: GoValue, directive: Directive, depth: number): string {
  work(ROW_WORK)
  if (depth > templateLimits.depth) {
    throw new ExpansionFault(`a value nests more than ${templateLimits.depth} levels deep`)
  }
  const { verb } = directive
  if (verb === 'T') return formatText(typeName(value), { ...directive, verb: 's' }) ?? ''
  if (value instanceof GoInt64) return formatInt(value.value, directive) ?? badVerb(value, directive)
  if (value === null) return verb === 'v' ? pad('<nil>', directive) : badVerb(value, directive)
  if (value instanceof GoTime || value instanceof GoDuration) {
    const text = value instanceof GoTime ? timeText(value.ns) : durationText(value.ns)
    return formatText(text, { ...directive, isSource: false }) ?? badVerb(value, directive)
  }
  switch (typeof value) {
    case 'bigint':
      return formatInt(value, directive) ?? badVerb(value, directive)
    case 'number':
      return formatFloatValue(value, directive) ?? badVerb(value, directive)
    case 'string':
      return formatText(value, directive) ?? badVerb(value, directive)
    case 'boolean':
      return verb === 't' || verb === 'v' ? pad(String(value), directive) : badVerb(value, directive)
    default:
      return formatMembers(value, directive, depth)
  }
}

function badVerb(value: GoValue, directive: Directive): string {
  const { verb } = directive
  if (value === null) return `%!${verb}(<nil>)`
  return `%!${verb}(${typeName(value)}=${formatValue(value, { ...directive, verb: 'v' })})`
}

/** Formats a value by a directive like Go's `printf`. A verb that does not apply to the value gives `%!d(string=x)`. */
export function formatValue(value: GoValue, directive: Directive = plainDirective): string {
  return format(value, directive, 0)
}

/** Returns the value that an action outputs: the target of a pointer, and `<no value>` for nil. */
export function printable(value: GoValue): GoValue {
  if (value === null) return '<no value>'
  return value instanceof GoStruct && value.isPointer ? new GoStruct(value.typeName, value.fields) : value
}

/** Formats a value as an action outputs it. */
export function outputText(value: GoValue): string {
  return formatValue(printable(value))
}
