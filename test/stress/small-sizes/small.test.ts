// @module-tag slow
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { sizeIn, smallSizes, withSmallSizes } from './small.ts'

const root = new URL('../../../', import.meta.url)
const sizes = Object.entries(smallSizes).flatMap(([path, names]) =>
  Object.entries(names).map(([name, size]) => ({ path, name, size })),
)

describe('small sizes', () => {
  test.each(sizes)('$name of $path exists and has another value than the small one', ({ path, name, size }) => {
    const source = readFileSync(new URL(`src/${path}`, root), 'utf8')
    expect(runInNewContext(sizeIn(source, name))).not.toBe(size)
  })

  test('take the place of the constants of their module alone', () => {
    const source = 'const LEAST_LISTED = 128\nconst OTHER = LEAST_LISTED * 4\n'
    const small = 'const LEAST_LISTED = 3\nconst OTHER = LEAST_LISTED * 4\n'
    expect(withSmallSizes('file:///any/src/store/memory/top-values.ts', source)).toBe(small)
    expect(withSmallSizes('file:///any/src/store/memory/other.ts', source)).toBe(source)
  })

  test('that are no longer there are reported', () => {
    expect(() => withSmallSizes('file:///any/src/store/memory/top-values.ts', '')).toThrow('no constant LEAST_LISTED')
  })

  test('change no answer', async () => {
    const fuzz = ['test/stress/main.ts', 'small-sizes', '--only', 'texts', '--seconds', '5', '--seed', '1010000']
    const { stdout } = await promisify(execFile)(process.execPath, fuzz, { cwd: fileURLToPath(root) })
    expect(stdout).toMatch(/texts: [1-9]\d* cases, 0 failures/)
  })
})
