import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { kernelCases } from '../../bench/suites/kernels/cases.ts'

const src = join(import.meta.dirname, '../../src')

/** Functions that give a module of a kernel. */
function modules(): readonly string[] {
  return globSync('**/*.ts', { cwd: src }).flatMap((path) =>
    Array.from(
      readFileSync(join(src, path), 'utf8').matchAll(/^export (?:const|function) (\w+Module)\b/gm),
      ([, name = '']) => name,
    ),
  )
}

test('each kernel has a measurement of its own, which runs', () => {
  const cases = kernelCases()
  expect([...new Set(cases.map(({ module }) => module))].toSorted()).toEqual(modules().toSorted())
  for (const { name, bytes, run } of cases) {
    expect(bytes, name).toBeGreaterThan(10_000)
    run()
    run()
  }
})
