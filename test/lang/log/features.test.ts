import { describe, expect, test } from 'vitest'
import { present } from '../../../src/base/index.ts'
import {
  canon,
  filterDefinitions,
  format,
  lower,
  parse,
  pipeDefinitions,
  type FeatureDoc,
} from '../../../src/lang/log/index.ts'
import { printPlan, type Dialect } from '../../../src/plan/index.ts'

interface Feature {
  readonly kind: string
  readonly names: readonly string[]
  readonly doc: FeatureDoc
}

const features: readonly (Feature & { readonly family: string })[] = [
  ...pipeDefinitions.map(({ kind, names, doc }) => ({ family: 'pipe', kind, names, doc })),
  ...filterDefinitions.map(({ kind, names, doc }) => ({ family: 'filter', kind, names, doc })),
]

const examples = features.flatMap(({ family, kind, doc }) =>
  doc.examples.flatMap(({ query, dialect }) => {
    const dialects: readonly Dialect[] = dialect === undefined ? ['native', 'logsql'] : [dialect]
    return dialects.map((each) => [`${family} ${kind}`, each, query] as const)
  }),
)

describe('features', () => {
  test.each(features.map((feature) => [`${feature.family} ${feature.kind}`, feature.doc] as const))(
    '%s is described in one sentence, with its form and an example',
    (name, doc) => {
      expect(doc.summary).toMatch(/^[A-Z`].*\.$/s)
      if (name === 'filter broken') return
      expect(doc.form).not.toBe('')
      expect(doc.examples.length).toBeGreaterThan(0)
      for (const { text } of doc.examples) expect(text).not.toMatch(/\.$/)
    },
  )

  test('each name belongs to one pipe', () => {
    const names = pipeDefinitions.flatMap((definition) => definition.names)
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(name).toMatch(/^[a-z_]+$/)
  })

  test('each name belongs to one filter', () => {
    const names = filterDefinitions.flatMap((definition) => definition.names)
    expect(new Set(names).size).toBe(names.length)
  })

  test.each(examples)('%s: the example reads, prints and lowers in %s: %s', (_, dialect, query) => {
    const { ast, diagnostics } = parse(query, { dialect })
    expect(diagnostics).toEqual([])
    const text = canon(ast, dialect)
    const again = parse(text, { dialect })
    expect(again.diagnostics).toEqual([])
    expect(canon(again.ast, dialect)).toBe(text)
    const options = { dialect, nowNs: 1_700_000_000_000_000_000n, table: 'logs' }
    expect(printPlan(lower(ast, options))).not.toBe('')
    if (dialect === 'native') expect(printPlan(lower(again.ast, options))).toBe(printPlan(lower(ast, options)))
    const laidOut = format(query, { dialect })
    expect(format(laidOut, { dialect })).toBe(laidOut)
  })

  test('every pipe can be asked for by each of its names, in any case', () => {
    for (const { kind, names, doc } of pipeDefinitions) {
      const example = doc.examples[0]
      const at = present(example).query.search(new RegExp(`\\| ${names[0]}\\b`))
      if (at === -1) continue
      for (const name of names) {
        const query = `${present(example).query.slice(0, at)}| ${name.toUpperCase()}${present(example).query.slice(at + 2 + present(names[0]).length)}`
        const { ast, diagnostics } = parse(query)
        expect(diagnostics, query).toEqual([])
        expect(
          ast.pipes.some((pipe) => pipe.kind === kind),
          query,
        ).toBe(true)
      }
    }
  })
})
