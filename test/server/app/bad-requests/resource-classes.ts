import type { Operation } from './operations.ts'
import type { BadCall, RequestClass } from './request-class.ts'

const isYaml = ({ takes }: Operation): boolean => takes === 'yaml'

function yaml(name: string, texts: readonly string[], statuses: readonly number[] = [400]): RequestClass {
  return {
    name: `YAML: ${name}`,
    of: (operation) =>
      isYaml(operation)
        ? texts.map((body): BadCall => ({
            name: body.slice(0, 40),
            body,
            headers: { 'Content-Type': 'application/x-yaml' },
            statuses,
          }))
        : [],
  }
}

/**
 * Returns a class of requests whose content type is JSON but whose body is not, although a YAML parser may accept it.
 */
function json(name: string, texts: readonly string[]): RequestClass {
  return {
    name: `JSON: ${name}`,
    of: (operation) =>
      isYaml(operation)
        ? ['application/json', 'application/vnd.api+json'].flatMap((type) =>
            texts.map((body): BadCall => ({
              name: `${type} ${body.slice(0, 40)}`,
              body,
              headers: { 'Content-Type': type },
              statuses: [400],
            })),
          )
        : [],
  }
}

function yamlBytes(name: string, bodies: readonly Uint8Array<ArrayBuffer>[]): RequestClass {
  return {
    name: `YAML: ${name}`,
    of: (operation) =>
      isYaml(operation) ? bodies.map((body, i): BadCall => ({ name: `${name} ${i}`, body, statuses: [400] })) : [],
  }
}

/** Returns a "billion laughs" YAML text: each list refers ten times to the list before it. */
function laughs(levels: number): string {
  const lines = Array.from(
    { length: levels },
    (_, i) =>
      `a${i}: &a${i} [${Array(10)
        .fill(i === 0 ? 'x' : `*a${i - 1}`)
        .join(', ')}]`,
  )
  return `title: x\n${lines.join('\n')}\n`
}

const model = (members: object): string => JSON.stringify({ title: 'bad model', model: members })
const threshold = { name: 't', inputName: 'q', operator: 'gt', values: [1] }
const query = { name: 'q', expression: '*' }

const yamlClasses: readonly RequestClass[] = [
  yaml('no mapping', ['', ' ', '---', 'x', '1', '[]', '- a', 'null', '~', 'true', '"x"', '!!null']),
  yaml('broken', [
    'a: [',
    'a: {',
    'a: "',
    "a: '",
    'a: b: c',
    '\ta: 1',
    'a:\n\t- b',
    '- a\nb: c',
    ']',
    '}',
    'a: @x',
    'a: `x`',
    '%',
    '? [',
    'a: |x\n  y',
    '&',
    '*',
  ]),
  yaml('the same member twice', ['title: a\ntitle: b', 'a: {b: 1, b: 2}', 'title: a\nTITLE: b']),
  yaml('aliases of nothing', ['title: *a', 'a: *b\nb: &b 1', 'title: x\na: [*title]']),
  yaml('aliases of themselves', ['title: x\na: &a [*a]', 'title: x\na: &a {b: *a}']),
  yaml('alias bombs', [laughs(6), laughs(9), laughs(20)]),
  yaml('merge keys', ['title: x\n<<: *none', 'title: x\n<<: [*none]', 'a: &a {b: 1}\nc: {<<: *a, <<: *a}']),
  yaml('tags', [
    'title: !!js/function "function () { return 1 }"',
    'title: !!js/regexp /x/',
    'title: !!js/undefined ""',
    'title: !!python/object/apply:os.system ["id"]',
    'title: !ruby/object:Gem::Installer {}',
    'title: !!java.lang.Runtime [x]',
    'title: !x y',
    '!!map {title: !<tag:example.com,2026:x> y}',
    'title: x\na: !!binary aGk=',
    'title: x\na: !!set {b, c}',
    'title: x\na: !!omap [b: 1]',
  ]),
  yaml('several documents', [
    'title: a\n---\ntitle: b',
    '---\ntitle: a\n...\n---\ntitle: b',
    '{"title":"a"}\n---\n{"title":"b"}',
  ]),
  yaml('directives', ['%YAML 9.9\n---\ntitle: x\n...\n%YAML 1.2\n---\n1', '%TAG ! tag:x,2026:\n---\ntitle: !a b']),
  yaml('too deep', [
    '['.repeat(129) + ']'.repeat(129),
    '['.repeat(10_000),
    `title: x\na: ${'['.repeat(10_000)}${']'.repeat(10_000)}`,
    `title: x\na: ${'{b: '.repeat(10_000)}1${'}'.repeat(10_000)}`,
    `title: x\n${Array.from({ length: 2000 }, (_, i) => `${' '.repeat(i)}a:`)
      .join('\n')
      .slice(0, 250_000)}`,
    `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
    `title: x\n${'- '.repeat(10_000)}a`,
  ]),
  yaml('too much', [
    `title: ${'x'.repeat(300_000)}`,
    `title: x\na: |\n  ${'y'.repeat(300_000)}`,
    `title: x\na: [${'1,'.repeat(25_000)}1]`,
    `title: x\n${Array.from({ length: 21_000 }, (_, i) => `a${i}: 1`).join('\n')}`,
    `title: "${'\\x41'.repeat(80_000)}"`,
  ]),
  yaml('keys that are no texts', [
    'title: x\n? [a]\n: b',
    'title: x\n? {a: 1}\n: b',
    'title: x\na:\n  ? [b, c]\n  : d',
  ]),
  yamlBytes('bytes that are no UTF-8', [
    Uint8Array.from([0xff]),
    Uint8Array.from([0x61, 0x3a, 0x20, 0xc3]),
    Uint8Array.from([0x61, 0x3a, 0x20, 0xed, 0xa0, 0x80]),
    Uint8Array.from(Buffer.from('title: x', 'utf16le')),
    Uint8Array.from(Buffer.from('\ufefftitle: x', 'utf16le')),
    Uint8Array.from(Buffer.from('title: é', 'latin1')),
  ]),
  yaml('control characters', [
    'title: a\u0000b',
    'title: "\u0001"',
    'title: a\u0007',
    'title: "\\x"',
    'title: "\\U00110000"',
  ]),
]

const monitorClasses: readonly RequestClass[] = [
  json('YAML', [
    '{"title":}',
    '{"title":"x",}',
    '{title: y1}',
    'title: x',
    "{'title': 'x'}",
    '--- {}',
    '{"title":"x"}\n...',
  ]),
  json('other types', [
    ...['1', '1.5', 'true', '[]', '{}'].flatMap((value) => [
      `{"labels":{"a":${value}}}`,
      `{"title":"x","annotations":{"a":${value}}}`,
    ]),
    '{"title":1}',
    '{"severity":true}',
    '{"routing":[1]}',
    '{"model":{"queries":[{"rollup":{"time":1.5}}]}}',
    '{"model":{"queries":[{"expression":1}]}}',
  ]),
  yaml('wrong types', [
    ...['title', 'severity', 'team', 'category'].flatMap((member) => [`${member}: [1]`, `${member}: {a: 1}`]),
    'isPaused: maybe',
    'isPaused: 2',
    'autoResolve: [true]',
    'routing: x',
    'routing: [[x]]',
    'labels: [a]',
    'labels: {a: {b: c}}',
    'annotations: x',
    'catalog: x',
    'catalog: {version: -1}',
    'catalog: {tags: x}',
    'display: []x',
    'display: [1]',
    'evaluationInterval: 5',
    'evaluationInterval: {interval: [1]}',
    'model: x',
    'model: {queries: {}x}',
  ]),
  yaml('unknown words', [
    'measurementType: line',
    'noDataState: Sometimes',
    'executionErrorState: __proto__',
    'measurementType: constructor',
    'noDataState: [OK]',
  ]),
  yaml('thresholds', [
    ...['name', 'inputName', 'operator', 'values'].map((member) =>
      model({ queries: [query], thresholds: [{ ...threshold, [member]: null }] }),
    ),
    ...[
      { operator: 'above' },
      { operator: 1 },
      { values: [] },
      { values: [1, 2, 3] },
      { values: ['x'] },
      { values: 1 },
      { name: '' },
    ].map((wrong) => model({ queries: [query], thresholds: [{ ...threshold, ...wrong }] })),
    model({ thresholds: [1] }),
    model({ thresholds: 'x' }),
    model({ thresholds: [{ ...threshold, customResolveThreshold: { operator: 'eq', values: [1] } }] }),
    model({ thresholds: [{ ...threshold, customResolveThreshold: { operator: 'gt', values: [] } }] }),
    'title: x\nmodel: {thresholds: [{name: t, inputName: q, operator: gt, values: [.nan]}]}',
    'title: x\nmodel: {thresholds: [{name: t, inputName: q, operator: gt, values: [.inf]}]}',
  ]),
  yaml('reducers', [
    model({ reducers: [{ name: 'r' }] }),
    model({ reducers: [{ type: 'last' }] }),
    model({ reducers: [{ name: 'r', type: 'middle' }] }),
    model({ reducers: [{ name: 'r', type: 1 }] }),
    model({ reducers: ['x'] }),
    model({ reducers: {}, queries: 1 }),
  ]),
  yaml(
    'models that do not compile',
    [
      model({ queries: [query], thresholds: [{ ...threshold, inputName: 'nobody' }] }),
      model({ queries: [{ ...query, dataType: 'logs', expression: 'level:' }] }),
      model({ queries: [{ ...query, dataType: 'logs', expression: '* | stats nothing()' }] }),
      model({ queries: [{ ...query, dataType: 'metrics', expression: 'sum(' }] }),
      model({ queries: [{ ...query, dataType: 'metrics', expression: 'nothing(up)' }] }),
      model({ queries: [{ ...query, dataType: 'logs', expression: '('.repeat(5000) }] }),
      model({
        queries: [
          { name: 'q', dataType: 'logs', sqlPipeline: { selectors: [{ key: 'a', processors: [{ op: 'nothing' }] }] } },
        ],
      }),
      model({
        queries: [
          {
            name: 'q',
            dataType: 'metrics',
            pipeline: { function: { name: 'nothing', pipelines: [{ metric: 'up' }] } },
          },
        ],
      }),
      model({
        queries: [
          {
            name: 'q',
            dataType: 'logs',
            expression: '*',
            conditions: [{ key: 'a', filters: [{ op: 'nothing', value: 1 }] }],
          },
        ],
      }),
    ],
    [400, 422],
  ),
]

function jsonOf(
  name: string,
  pattern: RegExp,
  bodies: (operation: Operation) => readonly unknown[],
  statuses?: readonly number[],
): RequestClass {
  return {
    name,
    of: (operation) =>
      pattern.test(operation.name) && operation.json !== undefined
        ? bodies(operation).map((body): BadCall => ({
            name: JSON.stringify(body).slice(0, 60),
            body: JSON.stringify(body),
            statuses,
          }))
        : [],
  }
}

const SILENCE = /^(POST|PUT) \/api\/monitors\/silences/
const POLICY = /^(POST|PUT) \/api\/rbac\/policy\/(create|\{id\})/
const APPLY = /policy\/apply/

const matcher = { name: 'a', value: 'b' }
const good = ({ json }: Operation): Readonly<Record<string, unknown>> => json?.good ?? {}

const condition = { key: 'cluster', type: 'string', origin: 'root', filters: [{ op: 'match', value: 'c' }] }

const silenceAndPolicyClasses: readonly RequestClass[] = [
  jsonOf(
    'silences: matchers',
    SILENCE,
    (operation) =>
      [
        'x',
        {},
        [1],
        ['x'],
        [{}],
        [{ value: 'b' }],
        [{ ...matcher, name: '' }],
        [{ ...matcher, name: 1 }],
        [{ ...matcher, name: null }],
        [{ ...matcher, value: 1 }],
        [{ ...matcher, value: ['b'] }],
        [{ ...matcher, isEqual: 'yes' }],
        [{ ...matcher, isRegex: 1 }],
        [{ ...matcher, Type: 4 }],
        [{ ...matcher, Type: -1 }],
        [{ ...matcher, Type: 'x' }],
        [{ ...matcher, isRegex: true, value: '(' }],
        [{ ...matcher, isRegex: true, value: 'a{2000}' }],
        [{ ...matcher, isRegex: true, value: '(?=x)' }],
        [{ ...matcher, isRegex: true, value: '\\1' }],
        [{ ...matcher, isRegex: true, value: '['.repeat(5000) }],
        [{ ...matcher, isRegex: true, value: `${'('.repeat(2000)}${')'.repeat(2000)}` }],
      ].map((matchers) => ({ ...good(operation), matchers })),
    [400],
  ),
  jsonOf(
    'silences: spans of time',
    SILENCE,
    (operation) => [
      { ...good(operation), startsAt: '2026-01-02T00:00:00Z', endsAt: '2026-01-01T00:00:00Z' },
      { ...good(operation), startsAt: '2026-01-01T00:00:00Z', endsAt: '2026-01-01T00:00:00Z' },
      { ...good(operation), startsAt: '2026-01-01T00:00:00.000000001Z', endsAt: '2026-01-01T00:00:00Z' },
      { ...good(operation), startsAt: '2026-01-01T00:00:00-01:00', endsAt: '2026-01-01T00:30:00Z' },
    ],
    [400],
  ),
  jsonOf(
    'policies: roles',
    POLICY,
    (operation) =>
      [['read'], 'read', { read: [1] }, { read: { a: 1 } }, 1, true].map((role) => ({
        ...good(operation),
        role,
      })),
    [400],
  ),
  jsonOf(
    'policies: scopes',
    POLICY,
    (operation) =>
      [
        'x',
        [1],
        { simple: 'x' },
        { simple: [1] },
        { simple: { operator: 'xor', conditions: [condition] } },
        { simple: { operator: 'and', conditions: 'x' } },
        { simple: { conditions: [{ ...condition, filters: [{ op: 'nothing', value: 'c' }] }] } },
        { simple: { conditions: [{ ...condition, key: 'no_such_column_of_scopes', type: 'nothing' }] } },
        { simple: { conditions: [{ ...condition, key: 5 }] } },
        { simple: { conditions: [{ ...condition, unknown: 1 }] } },
        { simple: { conditions: [condition], disabled: 'yes' } },
        { simple: { groups: [{ groups: [{ operator: 'nand' }] }] } },
        { advanced: { logs: 'x' } },
        { advanced: { everything: { conditions: [condition] } } },
        { advanced: { logs: { conditions: [{ ...condition, filters: [{ op: 'regex', value: '(' }] }] } } },
        { simple: { conditions: [condition] }, advanced: { logs: { conditions: [condition] } } },
        { complicated: { conditions: [condition] } },
      ].map((dataScope) => ({ ...good(operation), dataScope })),
    [400],
  ),
  jsonOf(
    'policies: revisions',
    /^PUT \/api\/rbac\/policy\/\{id\}/,
    (operation) =>
      [0, 2, 1_000_000, 9_007_199_254_740_991].map((currentRevision) => ({
        ...good(operation),
        name: 'first',
        currentRevision,
      })),
    [409],
  ),
  jsonOf(
    'policies: names in use',
    /policy\/create/,
    (operation) => [
      { ...good(operation), name: 'first' },
      { ...good(operation), name: '' },
    ],
    [400, 409],
  ),
  jsonOf(
    'apply: e-mail addresses',
    APPLY,
    () =>
      [
        [],
        'a@b.c',
        [1],
        [''],
        ['a'],
        ['@b'],
        ['a@'],
        ['a b@c'],
        [`${'a'.repeat(300)}@b.c`],
        [null],
        [['a@b.c']],
        { a: 'a@b.c' },
      ].map((emails) => ({ emails, policyUUIDs: [] })),
    [400],
  ),
  jsonOf(
    'apply: ids of policies',
    APPLY,
    () =>
      ['x', [1], [''], ['x'], ['99999999-9999-4999-8999-999999999999x'], [null], [['a']], { a: 1 }].map(
        (policyUUIDs) => ({ emails: ['a@b.c'], policyUUIDs }),
      ),
    [400],
  ),
  jsonOf(
    'apply: ids of nothing',
    APPLY,
    () => [{ emails: ['a@b.c'], policyUUIDs: ['99999999-9999-4999-8999-999999999999'] }],
    [404],
  ),
  jsonOf(
    'monitor lists: filters',
    /monitors\/list/,
    () => ['level:', '(', '* | limit 5', 'a:in(', '"', 'x:~"("', '('.repeat(10_000)].map((text) => ({ query: text })),
    [400],
  ),
]

export const resourceClasses: readonly RequestClass[] = [...yamlClasses, ...monitorClasses, ...silenceAndPolicyClasses]
