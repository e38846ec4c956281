/** A literal text and the placeholder behind it; the last step of a pattern may have none. */
export interface PatternStep {
  readonly prefix: string
  /** `undefined` where the pattern ends without a placeholder; `''` for one without a name. */
  readonly field: string | undefined
  /** What stands before a colon in the placeholder, such as `plain` or `uc`. */
  readonly option: string
}

/** The option of `extract` for a value whose quotes stay. */
const PLAIN = 'plain'

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&amp;', '&'],
  ['&quot;', '"'],
  ['&apos;', "'"],
])

/** `<` and `>` themselves are written as HTML entities. */
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
 * The steps of `text<field>text<option:field>`; a message when it cannot be read. What stands before a colon and is no
 * option belongs to the name of the field: `<a:b>`. After an empty option it always does: `<:uc:b>`.
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

/** The fields a pattern names, each once. */
export function fieldsOfPattern(steps: readonly PatternStep[]): readonly string[] {
  return [...new Set(steps.map(({ field }) => field ?? '').filter((field) => field !== ''))]
}

/** Why a pattern cannot take texts apart; `undefined` when it can. */
export function extractFault(steps: readonly PatternStep[]): string | undefined {
  if (fieldsOfPattern(steps).length === 0) return 'it names no field, such as `<name>`'
  if (steps.some(({ field }) => field?.endsWith('*') === true)) return 'a field to extract cannot end with `*`'
  const isAdjacent = steps.some(({ prefix, field }, i) => i > 0 && prefix === '' && field !== undefined)
  return isAdjacent ? 'nothing stands between two placeholders' : undefined
}

/** How `format` may write a value: what may stand before the colon of a placeholder. */
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
