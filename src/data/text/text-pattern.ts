/** A literal and the placeholder after it. The last step of a pattern may have no placeholder. */
export interface PatternStep {
  readonly prefix: string
  /** The field name; `undefined` if the pattern ends without a placeholder, `''` for a placeholder without a name. */
  readonly field: string | undefined
  /** The option before the colon in the placeholder, such as `plain` or `uc`. */
  readonly option: string
}

/** The option of `extract` that keeps the quotes of a value. */
const PLAIN = 'plain'

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&amp;', '&'],
  ['&quot;', '"'],
  ['&apos;', "'"],
])

/** Decodes HTML entities, because a pattern writes literal `<` and `>` as entities. */
function unescapeEntities(text: string): string {
  return text.replaceAll(/&(?:lt|gt|amp|quot|apos|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});/g, (entity) => {
    const named = ENTITIES.get(entity)
    if (named !== undefined) return named
    const digits = entity.slice(2, -1)
    const code = /^x/i.test(digits) ? Number.parseInt(digits.slice(1), 16) : Number(digits)
    return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : entity
  })
}

/**
 * Parses `text<field>text<option:field>` into steps; returns a message if it is invalid. Text before a colon that is
 * not an option is part of the field name: `<a:b>`. With an empty option, a colon is always part of the name:
 * `<:uc:b>`.
 */
export function readTextPattern(pattern: string): readonly PatternStep[] | string {
  const steps: PatternStep[] = []
  let at = 0
  for (;;) {
    const open = pattern.indexOf('<', at)
    if (open === -1) break
    const close = pattern.indexOf('>', open)
    if (close === -1) return 'a `<` has no `>`; write `&lt;` for the character itself'
    const inside = pattern.slice(open + 1, close)
    const colon = inside.indexOf(':')
    const option = inside.slice(0, Math.max(colon, 0)).trim()
    const isOption = colon !== -1 && (option === '' || option === PLAIN || isFormatOption(option))
    const name = unescapeEntities((isOption ? inside.slice(colon + 1) : inside).trim())
    steps.push({
      prefix: unescapeEntities(pattern.slice(at, open)),
      field: name === '_' || name === '*' ? '' : name,
      option: isOption ? option : '',
    })
    at = close + 1
  }
  const rest = unescapeEntities(pattern.slice(at))
  if (rest !== '' || steps.length === 0) steps.push({ prefix: rest, field: undefined, option: '' })
  return steps
}

/** Returns the fields of a pattern without duplicates. */
export function fieldsOfPattern(steps: readonly PatternStep[]): readonly string[] {
  return [...new Set(steps.map(({ field }) => field ?? '').filter((field) => field !== ''))]
}

/** Returns the reason why a pattern cannot be used to parse strings; `undefined` if it can. */
export function extractFault(steps: readonly PatternStep[]): string | undefined {
  if (fieldsOfPattern(steps).length === 0) return 'it names no field, such as `<name>`'
  if (steps.some(({ field }) => field?.endsWith('*') === true)) return 'a field to extract cannot end with `*`'
  const isAdjacent = steps.some(({ prefix, field }, i) => i > 0 && prefix === '' && field !== undefined)
  return isAdjacent ? 'nothing stands between two placeholders' : undefined
}

/** The options for writing a value with `format`: the text before the colon of a placeholder. */
export const formatOptions = [
  'q',
  'uc',
  'lc',
  'time',
  'duration',
  'duration_seconds',
  'ipv4',
  'urlencode',
  'urldecode',
  'hexencode',
  'hexdecode',
  'hexnumencode',
  'hexnumdecode',
  'base64encode',
  'base64decode',
] as const

export type FormatOption = (typeof formatOptions)[number]

export function isFormatOption(text: string): text is FormatOption {
  return (formatOptions as readonly string[]).includes(text)
}
