import { describe, expect, test } from 'vitest'
import { SluiceError, applyFix, isError, type JsonValue } from '../../src/base/index.ts'
import { rowToJson } from '../../src/data/index.ts'
import {
  createEngine,
  languageOf,
  printExplainTree,
  type Engine,
  type Extension,
  readRows,
} from '../../src/engine/index.ts'
import { defineScalar, defineStats } from '../../src/functions/index.ts'
import { textToPipeline } from '../../src/lang/json/index.ts'
import { canon, definePipe, format, parse, vocabularyOf } from '../../src/lang/log/index.ts'
import { complete, hover, semanticTokens, type EditorOptions } from '../../src/editor/index.ts'
import { standardCatalog } from '../../src/store/index.ts'
import { columnarOver, rowsOver, sqliteOver, startNs, storedRow } from './data.ts'

const initial = defineScalar({
  name: 'initial',
  parameters: [{ name: 'text', type: 'string', text: 'a field' }],
  returns: 'string',
  evaluate: (text) => text.slice(0, 1).toUpperCase(),
  doc: { summary: 'The first letter as a capital.', examples: ['* | math initial(pod) as x'] },
})

const slips = defineScalar({
  name: 'slips',
  parameters: [
    { name: 'word', type: 'string', isLiteral: true },
    { name: 'text', type: 'string' },
    { name: 'weight', type: 'number', isOptional: true },
  ],
  returns: 'number',
  evaluate: (word, text, weight = 1) => Array.from(word).filter((letter, i) => text[i] !== letter).length * weight,
  doc: { summary: 'How many letters differ.' },
})

const geometric = defineStats({
  name: 'geometric_mean',
  parameters: [{ name: 'field', type: 'number' }],
  returns: 'number',
  init: () => ({ sum: 0, count: 0 }),
  add: (state, value) => (value > 0 ? { sum: state.sum + Math.log(value), count: state.count + 1 } : state),
  merge: (a, b) => ({ sum: a.sum + b.sum, count: a.count + b.count }),
  finish: ({ sum, count }) => (count === 0 ? undefined : Math.round(Math.exp(sum / count))),
  isOrderSensitive: false,
  doc: { summary: 'The geometric mean.' },
})

const joined = defineStats({
  name: 'joined',
  parameters: [
    { name: 'separator', type: 'string', isLiteral: true },
    { name: 'field', type: 'string' },
  ],
  returns: 'string',
  init: (separator) => ({ separator, items: [] as string[] }),
  add: (state, text) => ({ ...state, items: [...state.items, text] }),
  merge: (a, b) => ({ ...a, items: [...a.items, ...b.items] }),
  finish: ({ separator, items }) => items.join(separator),
  doc: { summary: 'The texts in a row.' },
})

const slowest = definePipe({
  name: 'slowest',
  arguments: [
    { name: 'n', type: 'number' },
    { name: 'of', type: 'field', isOptional: true },
  ],
  expand: ({ n, of = 'ms' }) => `sort by (${of} desc) | limit ${n}`,
  doc: { summary: 'The rows with the greatest values.', examples: ['* | slowest 3'] },
})

const mask = definePipe({
  name: 'mask',
  arguments: [
    { name: 'field', type: 'field' },
    { name: 'with', type: 'text', isOptional: true },
  ],
  fields: ({ field }) => ({ reads: [field], writes: { [field]: 'string' } }),
  rows: ({ field, with: mark = '*' }) => {
    return ({ [field]: text }) => ({ [field]: typeof text === 'string' ? text.replaceAll(/./g, mark) : text })
  },
  isOneToOne: true,
  doc: { summary: 'Hides a text.' },
})

const twice = definePipe({
  name: 'twice',
  rows: () => (row) => (row['level'] === 'info' ? undefined : [row, { ...row, level: 'again' }]),
  doc: { summary: 'Each row and a copy of it.' },
})

const turned = definePipe({
  name: 'turned',
  arguments: [{ name: 'columns', type: 'fields' }],
  columns: ({ columns }) => Object.fromEntries(columns.map((name) => [name, 'any' as const])),
  tables: ({ columns }) => {
    return (rows) => rows.toReversed().map((row) => Object.fromEntries(columns.map((name) => [name, row[name]])))
  },
  doc: { summary: 'Some columns of the rows, the last row first.' },
})

const later = definePipe({
  name: 'later',
  arguments: [{ name: 'wait', type: 'duration' }],
  lower: (input, { wait }, { origin }) => ({
    kind: 'limit',
    input,
    offset: Number(wait / 1_000_000_000n),
    limit: undefined,
    origin,
  }),
  doc: { summary: 'Rows behind so many, one a second.' },
})

const extend: Extension = {
  pipes: [slowest, mask, twice, turned, later],
  scalars: [initial, slips],
  stats: [geometric, joined],
}
const rows = [
  storedRow(0, startNs, { pod: 'alpha', level: 'info', ms: 2 }),
  storedRow(1, startNs + 1n, { pod: 'beta', level: 'error', ms: 8 }),
  storedRow(2, startNs + 2n, { pod: 'gamma', level: 'error', ms: 4 }),
]

async function engines(own: Extension): Promise<readonly Engine[]> {
  const { functions } = languageOf(own)
  const upper = columnarOver([], functions)
  const backends = [rowsOver(rows, functions), columnarOver(rows, functions), await sqliteOver(rows, functions)]
  return backends.map((backend) => createEngine({ backends: [backend], upper, extend: own, lint: 'off' }))
}

async function answer(engine: Engine, text: string): Promise<readonly JsonValue[]> {
  const answered: JsonValue[] = []
  for await (const row of readRows(engine.query(text).batches())) answered.push(JSON.parse(rowToJson(row)) as JsonValue)
  return answered
}

const all = await engines(extend)
const sorted = '* | sort by (_time)'

describe('definitions run the same on every backend', () => {
  test.each<readonly [string, readonly JsonValue[]]>([
    [`${sorted} | math initial(pod) as x | fields x`, [{ x: 'A' }, { x: 'B' }, { x: 'G' }]],
    [`${sorted} | math slips("beta", pod, 2) as x | fields x`, [{ x: 8 }, { x: 0 }, { x: 8 }]],
    [`* | filter level:error | math slips("b", pod) + 1 as x | sort by (x) | fields x`, [{ x: 1 }, { x: 2 }]],
    [`${sorted} | compute initial(pod) as x | fields x | limit 1`, [{ x: 'A' }]],
    ['* | stats geometric_mean(ms) as g', [{ g: 4 }]],
    [
      '* | stats by (level) geometric_mean(ms) if (pod:*a*) as g | sort by (level)',
      [
        { level: 'error', g: 6 },
        { level: 'info', g: 2 },
      ],
    ],
    [`${sorted} | stats joined(", ", pod) as pods`, [{ pods: 'alpha, beta, gamma' }]],
    [
      `* | running_stats joined("-", pod) as pods | sort by (_time) | fields pods`,
      [{ pods: 'alpha' }, { pods: 'alpha-beta' }, { pods: 'alpha-beta-gamma' }],
    ],
    [`* | total_stats geometric_mean(ms) as g | fields g | limit 1`, [{ g: 4 }]],
    ['* | slowest 2 | fields pod', [{ pod: 'beta' }, { pod: 'gamma' }]],
    ['* | slowest 1, of=pod | fields pod', [{ pod: 'gamma' }]],
    [`${sorted} | mask pod, with="-" | fields pod, ms | limit 1`, [{ pod: '-----', ms: 2 }]],
    [
      `${sorted} | twice | fields pod, level`,
      [
        { pod: 'beta', level: 'error' },
        { pod: 'beta', level: 'again' },
        { pod: 'gamma', level: 'error' },
        { pod: 'gamma', level: 'again' },
      ],
    ],
    [
      `${sorted} | turned (pod, ms)`,
      [
        { pod: 'gamma', ms: 4 },
        { pod: 'beta', ms: 8 },
        { pod: 'alpha', ms: 2 },
      ],
    ],
    [`${sorted} | later 2s | fields pod`, [{ pod: 'gamma' }]],
    [`* | filter pod:in(* | slowest 1 | fields pod) | fields ms`, [{ ms: 8 }]],
  ])('%s', async (query, expected) => {
    for (const engine of all) expect(await answer(engine, query)).toEqual(expected)
  })
})

test('a function that changes from row to row is called for each', async () => {
  let count = 0
  const ticket = defineScalar({
    name: 'ticket',
    parameters: [],
    returns: 'number',
    evaluate: () => count++,
    volatility: 'per-row',
    doc: { summary: 'Another number each time.' },
  })
  for (const engine of await engines({ scalars: [ticket] })) {
    const found = await answer(engine, '* | math ticket() as x | fields x')
    expect(new Set(found.map((row) => JSON.stringify(row))).size).toBe(3)
  }
})

describe('a text with definitions', () => {
  const { vocabulary } = languageOf(extend)
  const read = (text: string) => parse(text, { vocabulary })

  test.each([
    ['* | SLOWEST 2, of=pod', '* | slowest 2, of=pod'],
    ['* | mask with="a b", field=pod', '* | mask pod, with="a b"'],
    ['* | turned (pod, "a b",)', '* | turned (pod, "a b")'],
    ['* | later 1h30m', '* | later 1h30m'],
    ['* | math slips("a\\"b", pod, 2)', '* | math slips("a\\"b", pod, 2) as "slips(\\"a\\\\\\"b\\", pod, 2)"'],
    ['* | stats joined("limit", pod) x', '* | stats joined("limit", pod) as x'],
    ['slowest mask:joined', 'slowest mask:joined'],
    ['* | stats by (mask) count() as slowest | sort by (slowest)', undefined],
  ])('prints as it reads: %s', (text, printed) => {
    const { ast, diagnostics } = read(text)
    expect(diagnostics).toEqual([])
    const once = canon(ast)
    if (printed !== undefined) expect(once).toBe(printed)
    const again = read(once)
    expect(again.diagnostics).toEqual([])
    expect(canon(again.ast)).toBe(once)
  })

  test('is laid out', () => {
    expect(format('*|mask pod,with="-"|slowest 2', { vocabulary })).toBe('* | mask pod, with="-" | slowest 2')
  })

  test.each([
    ['* | slowest', 'slowest', 'log/missing-argument', '* | slowest 1'],
    ['* | mask with=x', 'mask', 'log/missing-argument', '* | mask with=x, field=field'],
    ['* | slowest 2, off=pod', 'off', 'log/unknown-argument', '* | slowest 2, of=pod'],
    ['* | slowest 2, pod, 3', '3', 'log/unknown-argument', undefined],
    ['* | slowest x', 'x', 'log/wrong-argument', undefined],
    ['* | slowest (x)', '(x)', 'log/wrong-argument', undefined],
    ['* | later soon', 'soon', 'log/wrong-argument', undefined],
    ['* | turned pod', 'pod', 'log/wrong-argument', undefined],
    ['* | slowest 1, n=2', 'n=2', 'log/repeated-clause', undefined],
    ['* | slowst 2', 'slowst', 'log/unknown-pipe', '* | slowest 2'],
    ['* | math slips(pod, level)', 'pod', 'log/wrong-argument', undefined],
    ['* | math initial()', 'initial()', 'log/wrong-argument-count', undefined],
    ['* | stats joined(", ")', 'joined(", ")', 'log/wrong-argument-count', undefined],
  ])('%s is refused at `%s`', (text, marked, code, fixed) => {
    const { diagnostics } = read(text)
    const [first, ...others] = diagnostics.filter(isError)
    expect(others).toEqual([])
    expect(first?.code).toBe(code)
    const origin = first?.origin
    expect(origin?.kind === 'text' && text.slice(origin.span.start, origin.span.end)).toBe(marked)
    if (fixed !== undefined) expect(first?.fixes.map((fix) => applyFix(text, fix))).toContain(fixed)
    expect(
      createEngine({ backends: [rowsOver([])], extend })
        .check(text)
        .map((each) => each.code),
    ).toContain(code)
  })

  test('without the definitions there are none', () => {
    expect(parse('* | slowest 2').diagnostics.map(({ code }) => code)).toEqual(['log/unknown-pipe'])
    expect(parse('* | math initial(a)').diagnostics.map(({ code }) => code)).toEqual(['log/unknown-math'])
    expect(parse('* | stats joined(", ", a)').diagnostics.map(({ code }) => code)).toContain('log/unknown-function')
  })

  test('pipes are of the native dialect, functions of both', () => {
    expect(parse('* | slowest 2', { vocabulary, dialect: 'logsql' }).diagnostics).not.toEqual([])
    expect(parse('* | stats joined(";", pod) x', { vocabulary, dialect: 'logsql' }).diagnostics).toEqual([])
  })

  test('a structured query with the new pipe is refused', () => {
    const { diagnostics } = textToPipeline('* | mask pod', { vocabulary, nowNs: 0n } as Parameters<
      typeof textToPipeline
    >[1])
    expect(diagnostics.map(({ code }) => code)).toEqual(['json/no-pipeline'])
  })
})

describe('an editor', () => {
  const { vocabulary, functions } = languageOf(extend)
  const options: EditorOptions = { catalog: standardCatalog, functions, vocabulary }
  const labels = (text: string): readonly string[] =>
    complete(text, text.length, options).items.map(({ label }) => label)

  test('completes names and arguments', () => {
    expect(labels('* | slow')).toContain('slowest')
    expect(labels('* | stats geo')).toContain('geometric_mean')
    expect(labels('* | running_stats geo')).toContain('geometric_mean')
    expect(labels('* | math ini')).toContain('initial')
    expect(labels('* | mask lev')).toEqual(['level'])
    expect(labels('* | slowest 2, ')).toEqual(expect.arrayContaining(['level', 'of=']))
    expect(labels('* | slowest 2, of=lev')).toEqual(['level'])
    expect(labels('* | turned (lev')).toEqual(['level'])
    expect(labels('* | limit 2, ')).not.toContain('of=')
  })

  test('explains them', () => {
    const text = '* | slowest 2 | math initial(pod) as x | stats geometric_mean(x)'
    expect(hover(text, text.indexOf('slowest'), options)?.text).toContain('slowest n:number, [of=field]')
    expect(hover(text, text.indexOf('initial'), options)?.text).toContain('The first letter as a capital.')
    expect(hover(text, text.indexOf('geometric'), options)?.text).toContain('The geometric mean.')
  })

  test('colours them', () => {
    const tokens = semanticTokens('* | slowest 2', vocabulary)
    expect(tokens.find(({ span }) => span.start === 4)?.kind).toBe('keyword')
  })
})

test('explanations say what definitions do, on every backend', async () => {
  const text = '* | mask pod | math initial(pod) as x | stats by (x) geometric_mean(ms) g | turned (g)'
  const inner = 'pod:in(* | math initial(pod) as y | fields y) | twice | running_stats geometric_mean(ms) as r'
  for (const engine of await engines(extend)) {
    const tree = printExplainTree(engine.explain(text))
    const notes = [
      'mask: Hides a text.',
      'initial: The first letter as a capital.',
      'geometric_mean: The geometric mean.',
      'turned: Some columns of the rows, the last row first.',
    ]
    for (const note of notes) expect(tree.split(`- ${note}\n`)).toHaveLength(2)
    const query = engine.query(inner)
    const before = printExplainTree(query.explain())
    await query.toArray()
    for (const shown of [before, printExplainTree(query.explain())])
      for (const note of ['twice: Each row and a copy of it.', 'initial: The first letter', 'geometric_mean: The geo'])
        expect(shown).toContain(`- ${note}`)
    expect(printExplainTree(engine.explain('* | math abs(ms) as x | stats sum(x) s'))).not.toContain('abs:')
  }
})

function codeOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (error instanceof SluiceError) return error.code
    throw error
  }
  return 'nothing is wrong'
}

describe('a definition that cannot be', () => {
  const doc = { summary: 'Something.' }
  const pipe = (name: string) => definePipe({ name, expand: () => 'limit 1', doc })
  const scalar = (name: string) => defineScalar({ name, parameters: [], returns: 'any', evaluate: () => 1, doc })

  test.each(['limit', 'head', 'by', 'count', 'abs', 'contains_all', 'Mine', '1st', 'a-b', ''])('a pipe `%s`', (name) =>
    expect(codeOf(() => pipe(name))).toBe('log/bad-definition'),
  )

  test('functions with standard names, or of two meanings', () => {
    expect(codeOf(() => scalar('abs'))).toBe('function/bad-definition')
    expect(codeOf(() => scalar('Abs'))).toBe('function/bad-definition')
    expect(codeOf(() => vocabularyOf({ scalars: [scalar('by')] }))).toBe('log/bad-definition')
    expect(codeOf(() => vocabularyOf({ scalars: [scalar('mine')], pipes: [pipe('mine')] }))).toBe('log/bad-definition')
    expect(codeOf(() => createEngine({ backends: [], extend: { pipes: [pipe('mine'), pipe('mine')] } }))).toBe(
      'log/bad-definition',
    )
    expect(
      codeOf(() =>
        defineStats({
          name: 'sum',
          parameters: [],
          init: () => 0,
          add: () => 0,
          merge: () => 0,
          finish: () => 0,
          returns: 'any',
          doc,
        }),
      ),
    ).toBe('function/bad-definition')
  })

  test('bodies and parameters', () => {
    expect(codeOf(() => definePipe({ name: 'mine', doc } as unknown as Parameters<typeof definePipe>[0]))).toBe(
      'log/bad-definition',
    )
    const twoNames = [
      { name: 'a', type: 'text' },
      { name: 'a', type: 'text' },
    ] as const
    expect(codeOf(() => definePipe({ name: 'mine', arguments: twoNames, expand: () => '', doc }))).toBe(
      'log/bad-definition',
    )
    const late = [
      { name: 'a', type: 'any', isOptional: true },
      { name: 'b', type: 'any' },
    ] as const
    expect(codeOf(() => defineScalar({ name: 'mine', parameters: late, returns: 'any', evaluate: () => 1, doc }))).toBe(
      'function/bad-definition',
    )
  })
})

describe('a definition that fails', () => {
  const doc = { summary: 'Something.' }
  const fail = (): never => {
    throw new TypeError('out of luck')
  }
  const own: Extension = {
    pipes: [
      definePipe({ name: 'bad_text', expand: fail, doc }),
      definePipe({ name: 'no_text', expand: () => 5 as unknown as string, doc }),
      definePipe({ name: 'wrong_text', expand: () => 'limit x', doc }),
      definePipe({ name: 'endless', expand: () => 'endless | endless', doc }),
      definePipe({ name: 'bad_plan', lower: fail, doc }),
      definePipe({ name: 'no_plan', lower: () => ({ kind: 'toString' }) as never, doc }),
      definePipe({ name: 'bad_rows', rows: fail, doc }),
      definePipe({ name: 'bad_row', rows: () => fail, doc }),
      definePipe({ name: 'no_row', rows: () => () => 5 as never, doc }),
      definePipe({ name: 'odd_row', rows: () => () => ({ a: Symbol('a') }), doc }),
      definePipe({ name: 'two_rows', rows: () => (row) => [row, row], isOneToOne: true, doc }),
      definePipe({ name: 'bad_table', tables: () => fail, doc }),
      definePipe({ name: 'no_table', tables: () => () => 5 as never, doc }),
    ],
    scalars: [
      defineScalar({ name: 'bad_value', parameters: [], returns: 'any', evaluate: fail, doc }),
      defineScalar({ name: 'late_value', parameters: [], returns: 'any', evaluate: async () => 1, doc }),
    ],
    stats: [
      defineStats({
        name: 'bad_stats',
        parameters: [],
        returns: 'any',
        init: () => 0,
        add: fail,
        merge: fail,
        finish: fail,
        doc,
      }),
      defineStats({
        name: 'no_state',
        parameters: [],
        returns: 'any',
        init: () => 0,
        add: () => undefined as never,
        merge: (a) => a,
        finish: () => 1,
        doc,
      }),
    ],
  }

  test.each([
    ['bad_text', 'log/pipe-failed'],
    ['no_text', 'log/pipe-failed'],
    ['wrong_text', 'log/pipe-failed'],
    ['endless', 'log/pipe-failed'],
    ['bad_plan', 'log/pipe-failed'],
    ['no_plan', 'log/pipe-failed'],
    ['bad_rows', 'function/failed'],
    ['bad_row', 'function/failed'],
    ['no_row', 'function/failed'],
    ['odd_row', 'function/failed'],
    ['two_rows', 'function/failed'],
    ['bad_table', 'function/failed'],
    ['no_table', 'function/failed'],
    ['math bad_value() as x', 'function/failed'],
    ['math late_value() as x', 'function/failed'],
    ['stats bad_stats()', 'function/failed'],
    ['stats no_state()', 'function/failed'],
  ])('%s', async (pipe, code) => {
    for (const engine of await engines(own)) {
      const error = await answer(engine, `* | ${pipe}`).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(SluiceError)
      expect((error as SluiceError).code).toBe(code)
      expect((error as SluiceError).message).toContain(/\w+_\w+|endless/.exec(pipe)?.[0])
    }
  })
})

test('an argument in a text of pipes says what it holds, whatever that is', async () => {
  const expected = [{ ms: 8 }]
  for (const engine of all) {
    expect(await answer(engine, '* | rename pod as "x desc) | limit 0 #" | slowest 1, of="ms" | fields ms')).toEqual(
      expected,
    )
    const odd = '"x desc) | limit 0 #"'
    expect(
      await answer(engine, `* | rename ms as ${odd} | slowest 1, of=${odd} | rename ${odd} as ms | fields ms`),
    ).toEqual(expected)
  }
})
