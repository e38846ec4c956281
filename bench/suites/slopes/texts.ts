/** A way to write a query text of any length. */
export interface SlopeText {
  readonly name: string
  /** Returns a text of about `bytes` bytes. */
  readonly text: (bytes: number) => string
  /** Present when the text is meant to be refused; the time of the refusal is measured. */
  readonly isRefused?: true
}

type Unit = (i: number) => string

/** Returns a text of `head`, as many units as needed, and `tail`. */
function grown(name: string, head: string, unit: Unit, separator: string, tail = ''): SlopeText {
  return {
    name,
    text: (bytes) => {
      const parts: string[] = []
      let length = head.length + tail.length
      for (let i = 0; length < bytes || parts.length === 0; i++) {
        const part = unit(i)
        parts.push(part)
        length += part.length + separator.length
      }
      return head + parts.join(separator) + tail
    },
  }
}

function refused(text: SlopeText): SlopeText {
  return { ...text, isRefused: true }
}

/** Returns a text of half the length, followed by itself. */
function twice({ name, text }: SlopeText): SlopeText {
  return { name, text: (bytes) => `${text(bytes / 2)} ${text(bytes / 2)}` }
}

/** Returns as many pipes as the limit allows, all of which grow. */
function pipes(name: string): SlopeText {
  const math = grown('', 'math ', (i) => `a + ${i} as r${i}`, ', ')
  const where = grown('', 'where ', (i) => `a${i}:b`, ' or ')
  const sort = grown('', 'sort by (', (i) => `a${i}`, ', ', ') limit 5')
  return {
    name,
    text: (bytes) =>
      `* | ${Array.from({ length: 60 }, (_, i) => [math, where, sort][i % 3].text(bytes / 60)).join(' | ')}`,
  }
}

/** A depth below the depth limit, with some to spare. */
const DEEP = 100

/** More than forty ways to write a long query. */
export const slopeTexts: readonly SlopeText[] = [
  // Filters side by side.
  grown('and of words', '', (i) => `word${i}`, ' '),
  grown('and of one field', '', (i) => `level:!=v${i}`, ' and '),
  grown('and of many fields', '', (i) => `f${i}:v${i}`, ' '),
  grown('or of words', '', (i) => `word${i}`, ' or '),
  grown('or of one field', '', (i) => `level:=v${i}`, ' or '),
  grown('or of many fields', '', (i) => `f${i}:v${i}`, ' or '),
  grown('and of ors', '', (i) => `(a${i}:x or b${i}:y)`, ' '),
  grown('or of ands', '', (i) => `(a${i}:x b${i}:y)`, ' or '),
  grown('negations', '', (i) => `!-!a${i}:b`, ' '),
  grown('the same filter again', '', () => 'level:error', ' '),
  grown('presence of many fields', '', (i) => `f${i}:*`, ' '),
  grown('ranges of one field', '', (i) => `status:range(${i}, ${i + 1000000})`, ' '),
  grown('comparisons', '', (i) => `status:>${i}`, ' or '),
  grown('groups as deep as may be', '', (i) => `${'('.repeat(DEEP)}a${i}:b${')'.repeat(DEEP)}`, ' or '),
  grown('stream filters', '', (i) => `{cluster="a${i}",pod=~"h${i}.*"}`, ' or '),
  grown('labels of one stream filter', '{', (i) => `pod!="v${i}"`, ',', '}'),
  grown('regular expressions', '', (i) => `f${i % 10}:~"a.*b${i}"`, ' or '),
  // Lists.
  grown('values of in', 'level:in(', (i) => `value${i}`, ', ', ')'),
  grown('quoted values of in', 'level:in(', (i) => `"value \\"${i}\\""`, ', ', ')'),
  twice(grown('two long lists', 'level:in(', (i) => `value${i}`, ', ', ')')),
  grown('phrases of contains_any', 'content:contains_any(', (i) => `"phrase ${i}"`, ', ', ')'),
  grown('steps of seq', 'content:seq(', (i) => `step${i}`, ', ', ')'),
  grown('names of fields', '* | fields ', (i) => `field${i}`, ', '),
  grown('names of delete', '* | delete ', (i) => `field${i}`, ', '),
  grown('names of rename', '* | rename ', (i) => `from${i} as to${i}`, ', '),
  grown('keys of sort', '* | sort by (', (i) => `field${i} desc`, ', ', ')'),
  grown('names of unpack_json', '* | unpack_json from content fields (', (i) => `field${i}`, ', ', ')'),
  grown('rows of union', '* | union rows(', (i) => `{"a":"${i}","b":"x"}`, ', ', ')'),
  pipes('as many pipes as may be'),
  grown('subqueries', '', (i) => `id:in(a${i}:b | fields id)`, ' '),
  // Calls.
  grown('stats functions', '* | stats ', (i) => `sum(field${i}) as s${i}`, ', '),
  grown('conditions of stats', '* | stats ', (i) => `count() if (a:${i}) as n${i}`, ', '),
  grown('keys of stats', '* | stats by (', (i) => `key${i}`, ', ', ') count() as n'),
  grown('math results', '* | math ', (i) => `a + ${i} as r${i}`, ', '),
  grown('long sums', '* | math ', (i) => `${'a * 2 + '.repeat(40)}${i} as r${i}`, ', '),
  grown('parts of a format', '* | format "', (i) => `text <field${i}> `, '', '" as x'),
  // Single tokens.
  grown('one long word', '', () => 'x'.repeat(64), ''),
  grown('one long compound', '', (i) => `part${i}`, '.'),
  grown('one long quoted text', '"', () => String.raw`text \"and\" more\n`, '', '"'),
  grown('one long regular expression', 'content:~"', (i) => `(a${i}|b)`, '', '"'),
  grown('one long comment', '* # ', () => 'comment ', ''),
  // Refused texts.
  refused(grown('many faults', '', (i) => `filter a${i}:==`, ' | ', ' | nothing')),
  refused(grown('parentheses that stay open', '* | fields ', (i) => `a${i} (`, ' | fields ')),
]
