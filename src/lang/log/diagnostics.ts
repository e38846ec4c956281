import { defineDiagnostics, insertAt, nearestNames, replaceWith, type Span } from '../../base/index.ts'

function list(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}

function nearest(name: string, known: readonly string[]): { text: string; names: readonly string[] } {
  const names = nearestNames(name, known)
  return { names, text: names.length === 0 ? '' : ` Nearest: ${list(names)}.` }
}

function parameters(names: readonly string[]): string {
  return list(names.map((name) => `$${name}`))
}

function wanted(expected: readonly string[]): string {
  if (expected.length === 0) return ''
  const shown = expected.slice(0, 6)
  return ` Expected ${list(shown)}${expected.length > shown.length ? ' or others' : ''}.`
}

const splitFilters = 'Filters are separated by blanks; other characters belong inside quotes.'

/**
 * True if a habit (syntax of another query language) has the name of that language, because the whole query is written
 * in the language. Other habits have the name of a typical word.
 */
function isLanguage(habit: string): boolean {
  return /^[A-Z]+[a-zA-Z]*QL$|^SPL$|^jq$/.test(habit)
}

export const logDiagnostic = defineDiagnostics('log', {
  'text-too-long': (d: { limitBytes: number; lengthBytes: number }) => ({
    message: `The query is ${d.lengthBytes} bytes long; at most ${d.limitBytes} are read.`,
    why: 'Long lists of values belong in a subquery: `field:in(<query>)`.',
  }),
  'too-deep': (d: { limit: number }) => ({
    message: `Parentheses are nested deeper than ${d.limit} levels.`,
  }),
  'too-many-terms': (d: { limit: number }) => ({
    message: `The query has more than ${d.limit} filters.`,
    why: 'Alternatives of one field belong in one list: `field:in(a, b)`.',
  }),
  'too-many-pipes': (d: { limit: number }) => ({ message: `The query has more than ${d.limit} pipes.` }),
  'too-many-fields': (d: { limit: number }) => ({ message: `The query names more than ${d.limit} fields.` }),
  'pattern-too-long': (d: { limit: number; length: number }) => ({
    message: `This pattern is ${d.length} characters long; at most ${d.limit} are allowed.`,
  }),
  'too-many-errors': (d: { limit: number }) => ({
    message: `More than ${d.limit} errors; the rest of the query was not read.`,
  }),

  'bad-escape': (d: { reason: string }) => ({
    message: `Inside these quotes ${d.reason}.`,
    why: 'A backslash itself is written `\\\\`; between back quotes it means nothing.',
    fixes: (at: Span) => (d.reason.startsWith('`\\') ? [insertAt(at.start, '\\', 'Double the backslash')] : []),
  }),
  'unclosed-quote': (d: { quote: string }) => ({
    message: `This quote never closes.`,
    why: `Put another ${d.quote === '`' ? 'back quote' : `\`${d.quote}\``} where the text ends.`,
    fixes: (at: Span) => [insertAt(at.end, d.quote)],
  }),
  'unexpected-end': (d: { expected: readonly string[] }) => ({
    message: `The query ends too early.${wanted(d.expected)}`,
  }),
  unexpected: (d: { found: string; expected: readonly string[] }) => ({
    message: `\`${d.found}\` does not belong here.${wanted(d.expected)}`,
  }),
  unclosed: (d: { open: string; close: string; end: number }) => ({
    message: `This \`${d.open}\` never closes.`,
    fixes: () => [insertAt(d.end, d.close)],
  }),
  'foreign-operator': (d: { found: string; operator: string; written: string }) => ({
    message: `\`${d.found}\` is not an operator here; it is written \`${d.operator}\`.`,
    fixes: (at: Span) => [replaceWith(at, d.written, `Write \`${d.operator}\``)],
  }),

  'foreign-form': (d: { habit: string; meant: string; isRead: boolean; readAs?: string | undefined }) => ({
    severity: d.isRead ? 'warning' : 'error',
    message: `${isLanguage(d.habit) ? `This is ${d.habit}` : `\`${d.habit}\` is of another query language`}${d.isRead ? `, and ${d.readAs === undefined ? 'its words are searched for here' : `is ${d.readAs}`}` : ''}.`,
    why: `Here it is written \`${d.meant}\`.`,
    fixes: (at: Span) => [replaceWith(at, d.meant)],
  }),
  'missing-pipe': (d: { pipe: string; meant: string; isRead: boolean }) => ({
    severity: d.isRead ? 'warning' : 'error',
    message: `A query begins with a filter, not with the pipe \`${d.pipe}\`${d.isRead ? ': its words are searched for here' : ''}.`,
    why: `To use the pipe, write \`${d.meant}\`.`,
    fixes: (at: Span) => [replaceWith(at, d.meant)],
  }),

  'empty-query': (_: object) => ({
    message: 'The query is empty.',
    why: '`*` matches every row.',
    fixes: (at: Span) => [insertAt(at.start, '*')],
  }),
  'leading-pipe': (_: object) => ({
    message: 'A query begins with a filter, not with `|`.',
    why: 'Write `*` in front for every row.',
    fixes: (at: Span) => [insertAt(at.start, '* ', 'Insert `*`')],
  }),
  'trailing-pipe': (_: object) => ({
    message: 'Nothing follows this `|`.',
    fixes: (at: Span) => [replaceWith(at, '', 'Remove it')],
  }),
  'trailing-semicolon': (d: { left: string }) => ({
    message: 'A query does not end with `;`.',
    fixes: (at: Span) => [replaceWith(at, d.left, 'Remove it', true)],
  }),
  'expected-filter': (d: { found: string }) => ({
    message: d.found === '' ? 'A filter is missing here.' : `A filter is missing before \`${d.found}\`.`,
    why: 'A filter is a word, a quoted text, `field:value`, or `*` for everything.',
  }),
  'empty-group': (_: object) => ({
    message: 'There is nothing between these parentheses.',
    why: '`*` lets every row through.',
    fixes: (at: Span) => [replaceWith(at, '*')],
  }),
  'misplaced-operator': (d: { operator: string }) => ({
    message: `\`${d.operator}\` joins two filters, and one of them is missing.`,
    why: `The word itself is searched for in quotes: \`"${d.operator}"\`.`,
    fixes: (at: Span) => [replaceWith(at, '', 'Remove it'), replaceWith(at, `"${d.operator}"`, 'Search for the word')],
  }),
  'touching-filters': (d: { text: string; quoted: string }) => ({
    message: `\`${d.text}\` touches what comes before it.`,
    why: splitFilters,
    fixes: (at: Span) => [
      insertAt(at.start, ' ', 'Insert a blank'),
      ...(d.quoted === '' ? [] : [replaceWith(at, d.quoted)]),
    ],
  }),
  'unknown-filter': (d: { name: string; known: readonly string[] }) => ({
    message: `There is no filter named \`${d.name}\`.${nearest(d.name, d.known).text}`,
    why: 'A value with parentheses in it needs quotes; other filters are separated by blanks.',
    fixes: (at: Span) => nearest(d.name, d.known).names.map((name) => replaceWith(at, name)),
  }),
  'needs-quotes': (d: { text: string; quoted: string; start: number; end: number }) => ({
    message: `\`${d.text}\` needs quotes.`,
    why: splitFilters,
    fixes: () => [replaceWith({ start: d.start, end: d.end }, d.quoted)],
  }),
  'colons-in-value': (d: { text: string; quoted: string }) => ({
    message: `A value with \`:\` in it needs quotes.`,
    why: '`field:value` has one colon; further ones belong to the value.',
    fixes: (at: Span) => [replaceWith(at, d.quoted)],
  }),
  'bracket-range': (d: { min: string | undefined; max: string | undefined }) => ({
    message: 'A range of numbers begins with `range`.',
    why: '`range[min, max]` includes its bounds, `range(min, max)` does not.',
    fixes: (at: Span) =>
      d.min === undefined || d.max === undefined ? [] : [replaceWith(at, `range[${d.min}, ${d.max}]`)],
  }),
  'missing-bar': (d: { pipe: string }) => ({
    severity: 'warning',
    message: `\`${d.pipe}\` is read as a word to search for.`,
    why: 'A pipe begins with `|`.',
    fixes: (at: Span) => [insertAt(at.start, '| ', 'Insert `|`')],
  }),
  'stream-braces': (d: { meant: string; start: number; end: number }) => ({
    message: '`_stream:` needs braces, as in `_stream:{field="value"}`.',
    why: 'Between the braces stand fields of the stream with `=`, `!=`, `=~` or `!~` and a value, separated by commas.',
    fixes: () => (d.meant === '' ? [] : [replaceWith({ start: d.start, end: d.end }, d.meant)]),
  }),
  'null-test': (d: { written: string; meant: string }) => ({
    severity: 'warning',
    message: `\`${d.written}\` is read as words to search for.`,
    why: '`field:*` matches any value, `field:""` matches none.',
    fixes: (at: Span) => [replaceWith(at, d.meant)],
  }),
  'comma-in-filter': (d: { field: string; values: readonly string[]; start: number; end: number }) => ({
    message: 'Filters are not separated by commas.',
    why:
      d.field === ''
        ? 'Blanks join filters; `or` joins alternatives.'
        : 'Several values of one field are written as a list.',
    fixes: () =>
      d.field === '' ? [] : [replaceWith({ start: d.start, end: d.end }, `${d.field}:in(${d.values.join(', ')})`)],
  }),
  'double-equals': (_: object) => ({
    message: 'Equality is written with one `=`.',
    fixes: (at: Span) => [replaceWith(at, '=')],
  }),
  'equals-without-colon': (_: object) => ({
    message: 'A field is followed by `:`.',
    why: '`field:value` searches for a word, `field:=value` for the whole value.',
    fixes: (at: Span) => [insertAt(at.start, ':')],
  }),
  'in-without-colon': (d: { field: string; start: number }) => ({
    message: `\`in\` after a field needs a colon: \`${d.field}:in(…)\`.`,
    why: 'Without it the list is compared with the text field.',
    fixes: (at: Span) => [replaceWith({ start: d.start, end: at.end }, ':in', `Write \`${d.field}:in\``)],
  }),
  'lone-character': (d: { text: string }) => ({
    message: `A lone \`${d.text}\` is not a filter.`,
    why: 'To search for the character itself put it in quotes.',
    fixes: (at: Span) => [replaceWith(at, `"${d.text}"`)],
  }),
  'unsupported-wildcard': (d: { text: string; meant: string }) => ({
    message: `\`${d.text}\` is not a pattern in this dialect.`,
    why: 'It knows `word*` and `*text*` only; a regular expression does the rest: `~"…"`.',
    fixes: (at: Span) => (d.meant === '' ? [] : [replaceWith(at, d.meant)]),
  }),
  'field-wildcard': (d: { text: string }) => ({
    message: `\`${d.text}\` must be one field, without \`*\`.`,
  }),
  'inner-wildcard': (d: { text: string }) => ({
    message: `\`${d.text}\`: in this dialect only the end of a field name may be \`*\`.`,
  }),

  'unknown-pipe': (d: { name: string; known: readonly string[]; isFilter: boolean }) => ({
    message: `There is no pipe named \`${d.name}\`.${nearest(d.name, d.known).text}`,
    why: 'After `|` comes the name of what to do with the rows so far.',
    fixes: (at: Span) => [
      ...nearest(d.name, d.known).names.map((name) => replaceWith(at, name)),
      ...(d.isFilter ? [insertAt(at.start, 'filter ', 'Filter with it')] : []),
    ],
  }),
  'misplaced-pipe': (d: { name: string; text: string; first: number; from: number }) => ({
    message: `\`${d.name}\` must be the first pipe.`,
    why: 'It looks for the stored neighbours of the rows that the filters find; only filters may come before it. What stands behind it is about the neighbours too: there `limit` counts them.',
    fixes: (at: Span) => [
      {
        title: `Move \`${d.name}\` to the front`,
        isSafe: false,
        edits: [
          { span: { start: d.first, end: d.first }, text: `${d.text} | ` },
          { span: { start: d.from, end: at.end }, text: '' },
        ],
      },
    ],
  }),
  'bare-filter-stage': (_: object) => ({
    message: 'A filter as a stage begins with `filter`.',
    fixes: (at: Span) => [insertAt(at.start, 'filter ', 'Insert `filter`', true)],
  }),
  'pipe-in-parentheses': (d: { name: string }) => ({
    message: `A parenthesised stage is a filter, and this one begins like the pipe \`${d.name}\`.`,
    why: 'Without the parentheses it is the pipe; with the word in quotes it is a filter.',
  }),
  'missing-number': (d: { what: string; example: string }) => ({
    message: `\`${d.what}\` needs a number.`,
    why: `For example \`${d.what} ${d.example}\`.`,
  }),
  'missing-text': (d: { pipe: string; what: string; found: string; example: string }) => ({
    message: `\`${d.pipe}\` needs ${d.what} before \`${d.found}\`.`,
    why: `For example \`${d.pipe} ${d.example}\`. The text \`${d.found}\` itself stands in quotes.`,
  }),
  'missing-keys': (d: { what: string; example: string }) => ({
    message: `\`${d.what}\` needs fields.`,
    why: `For example \`${d.example}\`.`,
  }),
  'bad-number': (d: { text: string; what: string }) => ({
    message: `\`${d.text}\` is not ${d.what}.`,
  }),
  'bad-duration': (d: { text: string }) => ({
    message: `\`${d.text}\` is not a duration.`,
    why: 'Durations are numbers with units: `30s`, `1h30m`, `7d`.',
  }),
  'bad-time': (d: { text: string }) => {
    const isClock = /^\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?$/.test(d.text)
    const isDay = /^(?:today|yesterday)$/i.test(d.text)
    const what = isClock ? 'a time of day without its date' : isDay ? 'a day without its date' : 'not a time'
    const why = isClock
      ? `Write the date before it: \`2026-01-31T${d.text.padStart(5, '0')}\`. For every day it is \`_time:day_range[06:15, 06:30]\`. On the command line \`--since ${d.text}\` takes the last one.`
      : isDay
        ? `Write the date: \`2026-01-31\`. On the command line \`--since ${d.text}\` knows it.`
        : 'Times look like `2026-01-31`, `2026-01-31T10:20:30Z`, `now-5m`, or are durations such as `5m`.'
    return { message: `\`${d.text}\` is ${what}.`, why }
  },
  'bad-zone': (d: { text: string }) => ({
    message: `\`${d.text}\` is not a time zone.`,
    why: 'Zones are named as in `"Europe/Berlin"`.',
  }),
  'bad-clock': (d: { text: string }) => ({
    message: `\`${d.text}\` is not a time of day.`,
    why: 'Times of day look like `08:30`; the day ends at `24:00`.',
  }),
  'bad-weekday': (d: { text: string; known: readonly string[] }) => ({
    message: `\`${d.text}\` is not a day of the week.${nearest(d.text, d.known).text}`,
    fixes: (at: Span) => nearest(d.text, d.known).names.map((name) => replaceWith(at, name)),
  }),
  'bad-bucket': (d: { text: string }) => ({
    message: `\`${d.text}\` is not a bucket.`,
    why: 'Buckets are durations (`5m`), numbers (`10KB`), units (`hour`, `week`, `month`) or networks (`/24`). A key whose name has a colon needs quotes.',
  }),
  'bad-address': (d: { text: string; family: string }) => ({
    message: `\`${d.text}\` is not an ${d.family} address or network.`,
  }),
  'bad-pattern': (d: { reason: string }) => ({ message: `This pattern cannot be used: ${d.reason}.` }),
  'wildcard-in-format': (d: { field: string }) => ({
    message: `\`<${d.field}>\` stands for one field, so it cannot end with \`*\`.`,
    why: 'Several fields become one text by `pack_json fields (…)` or `pack_logfmt fields (…)`.',
  }),
  'bad-regexp': (d: { reason: string }) => ({
    message: `This is not a valid regular expression: ${d.reason}.`,
    why: 'The syntax is RE2: no back references and no look-around.',
  }),
  'unspaced-word': (d: { text: string; pattern: string }) => ({
    severity: 'warning',
    message: `\`${d.text}\` finds only texts in which no other letter stands beside it.`,
    why: 'Words end at blanks and marks, and this script puts none between its words.',
    fixes: (span) => [{ title: `Search for \`${d.pattern}\``, edits: [{ span, text: d.pattern }], isSafe: false }],
  }),
  backspace: (d: { isRegexp: boolean; places: readonly number[] }) => ({
    severity: 'warning',
    message: `\`\\b\` in these quotes is a backspace${d.isRegexp ? ', not the boundary of a word' : ''}.`,
    why: d.isRegexp
      ? 'The boundary is written `\\\\b`, or `\\b` between back quotes, where a backslash means nothing.'
      : 'A backslash itself is written `\\\\`; between back quotes it means nothing. Patterns have no boundaries of words.',
    fixes: () => [
      {
        title: 'Double the backslash',
        edits: d.places.map((place) => ({ span: { start: place, end: place }, text: '\\' })),
        isSafe: false,
      },
    ],
  }),
  'bad-option': (d: { name: string; text: string; what: string }) => ({
    message: `The option \`${d.name}\` takes ${d.what}, not \`${d.text}\`.`,
  }),
  'options-as-word': (_: object) => ({
    message: '`options` at the start of a query is followed by parentheses.',
    why: 'The word itself is searched for in quotes.',
    fixes: (at: Span) => [replaceWith(at, '"options"', 'Search for the word', true)],
  }),
  'second-table': (_: object) => ({
    message: 'The query names two tables.',
    why: '`from` and `options(domain=…)` say the same; one of them is enough.',
  }),
  'unknown-option': (d: { name: string; known: readonly string[] }) => ({
    message: `There is no query option named \`${d.name}\`.${nearest(d.name, d.known).text}`,
    fixes: (at: Span) => nearest(d.name, d.known).names.map((name) => replaceWith(at, name)),
  }),
  'repeated-clause': (d: { name: string }) => ({ message: `\`${d.name}\` is given twice.` }),
  'clashing-clauses': (d: { one: string; other: string }) => ({
    message: `\`${d.one}\` and \`${d.other}\` cannot be used together.`,
  }),
  'missing-clause': (d: { what: string; clause: string }) => ({ message: `\`${d.what}\` needs \`${d.clause}\`.` }),
  'subquery-fields': (_: object) => ({
    message: 'This subquery gives more than one field.',
    why: 'Its values are compared with one field: end it with `| fields name` or `| uniq by (name)`.',
  }),

  'unknown-function': (d: { name: string; known: readonly string[] }) => ({
    message: `There is no stats function named \`${d.name}\`.${nearest(d.name, d.known).text}`,
    fixes: (at: Span) => nearest(d.name, d.known).names.map((name) => replaceWith(at, name)),
  }),
  'unknown-math': (d: { name: string; known: readonly string[] }) => ({
    message: `There is no math function named \`${d.name}\`.${nearest(d.name, d.known).text}`,
    fixes: (at: Span) => nearest(d.name, d.known).names.map((name) => replaceWith(at, name)),
  }),
  'call-without-parentheses': (d: { name: string; argument: string; end: number }) => ({
    message: `\`${d.name}\` needs parentheses.`,
    fixes: (at: Span) => [
      ...(d.argument === '' ? [] : [replaceWith({ start: at.start, end: d.end }, `${d.name}(${d.argument})`)]),
      insertAt(at.end, '()', 'Insert `()`'),
    ],
  }),
  'function-as-pipe': (d: { name: string }) => ({
    message: `\`${d.name}\` is a function of the \`stats\` pipe.`,
    why: `It is written \`stats by (…) ${d.name}(…)\`.`,
  }),
  'by-after-functions': (d: { clause: string; at: number; from: number }) => ({
    message: '`by` comes before the functions.',
    fixes: (at: Span) => [
      {
        title: 'Move it there',
        edits: [
          { span: { start: d.at, end: d.at }, text: `${d.clause} ` },
          { span: { start: d.from, end: at.end }, text: '' },
        ],
        isSafe: true,
      },
    ],
  }),
  'missing-parentheses': (d: { list: string }) => ({
    message: 'This list of fields needs parentheses.',
    fixes: (at: Span) => [replaceWith(at, `(${d.list})`, `Write \`(${d.list})\``, true)],
  }),
  'missing-comma': (d: { end: number }) => ({
    message: 'Fields are separated by commas.',
    fixes: () => [insertAt(d.end, ',')],
  }),
  'wrong-argument-count': (d: { name: string; min: number; max: number; count: number }) => ({
    message: `\`${d.name}\` takes ${counts(d.min, d.max)}, not ${d.count}.`,
  }),
  'wrong-argument': (d: { name: string; text: string; what: string }) => ({
    message: `\`${d.text}\` cannot be an argument of \`${d.name}\`: it takes ${d.what}.`,
  }),
  'unknown-argument': (d: { pipe: string; name: string | undefined; known: readonly string[]; form: string }) => ({
    message:
      d.name === undefined
        ? `\`${d.pipe}\` takes fewer arguments.`
        : `\`${d.pipe}\` has no argument \`${d.name}\`.${nearest(d.name, d.known).text}`,
    why: `It is written \`${d.form}\`.`,
    fixes: (at: Span) => nearest(d.name ?? '', d.known).names.map((name) => replaceWith(at, name)),
  }),
  'missing-argument': (d: {
    pipe: string
    name: string
    what: string
    form: string
    example: string
    end: number
  }) => ({
    message: `\`${d.pipe}\` needs ${d.what} as \`${d.name}\`.`,
    why: `It is written \`${d.form}\`.`,
    fixes: () => [insertAt(d.end, d.example)],
  }),
  'bad-definition': (d: { name: string; reason: string }) => ({
    message: `\`${d.name}\` cannot be defined: ${d.reason}.`,
  }),
  'pipe-failed': (d: { name: string; reason: string }) => ({
    message: `The pipe \`${d.name}\` failed: ${d.reason}.`,
    why: 'It is not one of the standard pipes: whoever defined it can fix it.',
  }),
  'missing-parameter': (d: { name: string; known: readonly string[] }) => ({
    message: `\`$${d.name}\` has no value.`,
    why:
      d.known.length === 0
        ? 'Values are passed with the query, by name.'
        : `There are values for ${parameters(d.known)}.`,
    fixes: (at: Span) => [
      ...nearest(d.name, d.known).names.map((name) => replaceWith(at, `$${name}`)),
      replaceWith(at, `"$${d.name}"`, 'Search for the text'),
    ],
  }),
  'unused-parameter': (d: { name: string; used: readonly string[]; near: readonly string[] }) => ({
    message: `A value is given for \`$${d.name}\`, which the query does not have.`,
    why: d.used.length === 0 ? 'It has no parameters.' : `It has ${parameters(d.used)}.`,
  }),
  'bad-parameter': (d: { name: string; reason: string }) => ({
    message: `The value of \`$${d.name}\` cannot be used here: ${d.reason.replace(/\.$/, '')}.`,
  }),
  'parameter-as-name': (d: { name: string }) => ({
    message: `\`$${d.name}\` cannot stand for a name.`,
    why: 'A parameter is a value; names of fields, pipes and functions belong to the query.',
  }),
  'duplicate-result': (d: { name: string; isNamed: boolean }) => ({
    message: `Two results are called \`${d.name}\`.`,
    why: 'Each result needs a name of its own, and none may be called like a field of `by`.',
    fixes: (at: Span) => {
      const name = freshName(d.name)
      const title = `Name it \`${name}\``
      return [d.isNamed ? replaceWith(at, name, title) : insertAt(at.end, ` as ${name}`, title)]
    },
  }),
})

function freshName(name: string): string {
  return `${name.replaceAll(/[^\p{L}\p{Nd}_]+/gu, '_').replaceAll(/^_+|_+$/g, '')}_2`
}

function counts(min: number, max: number): string {
  const plural = (n: number): string => (n === 1 ? '1 argument' : `${n} arguments`)
  if (min === max) return min === 0 ? 'no arguments' : plural(min)
  return max === Infinity ? `at least ${plural(min)}` : `${min} to ${plural(max)}`
}
