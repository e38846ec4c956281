import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'

/** Draws TraceQL queries that must be accepted, in many layouts. */

const blank = fc.constantFrom(' ', '\n', '  ', ' // note\n', ' /* note */ ')
const attribute = fc.constantFrom(
  '.a',
  '.http.status_code',
  'span.a-b',
  'resource.service.name',
  'event.k',
  'link.link.kind',
  'instrumentation.lang',
  'span."with space"',
  '."quo\\"te"',
  '.größe',
  'span.duration',
  '.a/b',
)
const text = fc.oneof(
  fc.constantFrom('a', '', '.*', 'x"y', 'line\nbreak', '`', '\\d+', '\ufffd'),
  fc.string({ unit: 'binary', maxLength: 4 }),
)
const quoted = text.map((value) =>
  /[`\r\ufffd\p{Surrogate}]/u.test(value) ? JSON.stringify(value).replaceAll('\ufffd', '\\ufffd') : `\`${value}\``,
)
const strings = fc.constantFrom('name', 'rootServiceName', 'trace:id', 'event:name', 'span:statusMessage', '"x" ')
const integer = fc.constantFrom('0', '5', '012', '9223372036854775807', 'maxInt', 'minInt', '-7', '- 3')
const float = fc.constantFrom('.5', '1.0', '4e2', '1e-9', '1.5', '-0.25')
const duration = fc.constantFrom('5ms', '1s500ms', '0.5s', '1h', '1d', '2w', '1.5µs', '-1s', '1y')

const number: Arbitrary<string> = fc.letrec<{ all: string }>((tie) => ({
  all: fc.oneof(
    { depthSize: 'small' },
    attribute,
    integer,
    float,
    duration,
    fc.constantFrom('duration', 'traceDuration', 'span:childCount', 'nestedSetParent', 'event:timeSinceStart'),
    fc
      .tuple(tie('all'), fc.constantFrom('+', '-', '*', '/', '%', '^'), tie('all'))
      .map(([a, op, b]) => `${a} ${op} ${b}`),
    tie('all').map((inner) => `(${inner})`),
    tie('all').map((inner) => `-(${inner})`),
  ),
})).all

const comparison = fc.oneof(
  fc.tuple(number, fc.constantFrom('=', '!=', '<', '<=', '>', '>='), number).map((parts) => parts.join(' ')),
  fc.tuple(strings, fc.constantFrom('=', '!=', '<', '>='), quoted).map((parts) => parts.join('')),
  fc
    .tuple(fc.oneof(attribute, strings), fc.constantFrom(' =~ ', ' !~ '), fc.constantFrom('"a.*"', '`[0-9]+`'))
    .map((parts) => parts.join('')),
  fc.constantFrom('status = error', 'status != ok', 'kind=server', 'span:kind != consumer', 'true', 'false', '.vip'),
  fc.constantFrom('.a = nil', '.a != nil', 'nil != span.b', 'duration != nil', 'nil = nil', '(1 = 1) = .vip'),
)

const condition = fc.letrec<{ all: string }>((tie) => ({
  all: fc.oneof(
    { depthSize: 'small' },
    comparison,
    fc.tuple(tie('all'), fc.constantFrom(' && ', '||', '\n&& '), tie('all')).map((parts) => parts.join('')),
    tie('all').map((inner) => `(${inner})`),
    tie('all').map((inner) => `!(${inner})`),
  ),
})).all

const filter = fc.oneof(
  fc.constantFrom('{}', '{ }'),
  fc.tuple(blank, condition, blank).map(([before, inner, after]) => `{${before}${inner}${after}}`),
)

const relation = fc.constantFrom(
  ...'&& || > >> < << ~ !> !>> !< !<< !~ &> &>> &< &<< &~'.split(' ').map((op) => ` ${op} `),
)

export const spansText: Arbitrary<string> = fc.letrec<{ all: string }>((tie) => ({
  all: fc.oneof(
    { depthSize: 'small' },
    filter,
    fc.tuple(tie('all'), relation, tie('all')).map((parts) => parts.join('')),
    tie('all').map((inner) => `(${inner})`),
  ),
})).all

const scalar = fc.constantFrom('3', '-1', '2.5', '1s', '500ms')
const compared = fc
  .tuple(
    fc.constantFrom('count()', 'avg(duration)', 'max(.a * 2)', 'min(span.a)', 'sum(-.x)', '(count())'),
    fc.constantFrom('=', '!=', '<', '<=', '>', '>='),
    scalar,
  )
  .map((parts) => parts.join(' '))
const field = fc.oneof(attribute, fc.constantFrom('name', 'status', 'event:name', 'nestedSetLeft', 'link:traceID'))
const fields = fc.array(field, { minLength: 1, maxLength: 3 }).map((names) => names.join(', '))
const by = fc.oneof(field, fc.constantFrom('.a > 2', '.k % 2')).map((key) => `by(${key})`)
const firstStage = fc.oneof(
  compared,
  by,
  fields.map((list) => `select(${list})`),
)
const stage = fc.oneof(firstStage, fc.constant('coalesce()'), spansText)

export const pipelineText: Arbitrary<string> = fc
  .tuple(fc.oneof(spansText, firstStage), fc.array(stage, { maxLength: 3 }), blank)
  .map(([first, rest, space]) => [first, ...rest].join(`${space}| `))

const staged = fc.tuple(spansText, stage).map((parts) => parts.join(' | '))

const hints = fc.constantFrom('', ' with (most_recent=true)', ' with (sample=0.1, x="y", n = 5, d=1s)')

/** Draws queries that return spans. */
export const searchText: Arbitrary<string> = fc
  .tuple(
    fc.oneof(
      pipelineText,
      fc.letrec<{ all: string }>((tie) => ({
        all: fc.oneof(
          { depthSize: 'small' },
          staged.map((inner) => `(${inner})`),
          fc
            .tuple(
              staged,
              relation,
              fc.oneof(
                tie('all'),
                spansText.map((inner) => `(${inner})`),
              ),
            )
            .map(([a, op, b]) => `(${a})${op}${b}`),
        ),
      })).all,
    ),
    hints,
  )
  .map((parts) => parts.join(''))

const grouping = fc.oneof(
  fc.constant(''),
  fields.map((list) => ` by (${list})`),
  fc.constantFrom(' by(parent.name)', ' by (parent.resource.x, kind)'),
)
const call = fc.oneof(
  fc.tuple(fc.constantFrom('rate()', 'count_over_time()'), grouping).map((parts) => parts.join('')),
  fc
    .tuple(fc.constantFrom('min', 'max', 'sum', 'avg', 'histogram'), field, grouping)
    .map(([fn, name, keys]) => `${fn}_over_time(${name})${keys}`),
  fc.tuple(field, grouping).map(([name, keys]) => `quantile_over_time(${name}, .5, 0.99, 1)${keys}`),
)
const second = fc.constantFrom('', ' | topk(5)', ' | bottomk(2) | topk(1)', ' > 20', ' >= 1.5 | topk(2)', ' != -1')
const plainMetric = fc
  .tuple(fc.oneof(spansText, pipelineText), call, second)
  .map(([spans, fn, stages]) => `${spans} | ${fn}${stages}`)
const compare = fc.constantFrom(
  '{} | compare({ status = error })',
  '{} | compare({}, 5)',
  '{ kind = server } | compare({ .a = 1 }, 20, 1772442000000000000, 1772443000000000000)',
)

/** Draws queries that return series. */
export const metricsText: Arbitrary<string> = fc
  .tuple(
    fc
      .letrec<{ wrapped: string; all: string }>((tie) => ({
        wrapped: fc.oneof(
          { depthSize: 'small' },
          plainMetric.map((inner) => `(${inner})`),
          tie('all').map((inner) => `(${inner})`),
        ),
        all: fc.oneof(
          { depthSize: 'small' },
          plainMetric,
          compare,
          fc
            .tuple(
              tie('wrapped'),
              fc.constantFrom('+', '-', '*', '/'),
              fc.oneof(tie('wrapped'), fc.constantFrom('2', '-.5')),
              second,
            )
            .map(([a, op, b, stages]) => `${a} ${op} ${b}${stages}`),
          tie('wrapped').map((inner) => `100 * ${inner}`),
        ),
      }))
      .all.filter((inner) => !/\(\{[^|]*\| compare/.test(inner)),
    hints,
  )
  .map((parts) => parts.join(''))

const SNIPPETS =
  `{ } ( ) | || && > >> !> &~ = != =~ ! - + * / ^ , . .a span. span.a span: parent.x "x" \` " 'a' /* // 5 5ms 0x1 1e $ & nil` +
  ` name kind status duration count by select rate quantile_over_time compare topk with true error foo and`
const PARTS = SNIPPETS.split(' ')

/** Draws arbitrary texts, most of which are no valid query. */
export const anyQueryText: Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.array(fc.constantFrom(...PARTS), { maxLength: 30 }).map((parts) => parts.join(' ')),
  fc
    .tuple(fc.oneof(searchText, metricsText), fc.nat(200), fc.constantFrom(...PARTS))
    .map(([query, at, part]) => query.slice(0, at) + part + query.slice(at)),
)
