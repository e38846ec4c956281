import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** The section that a program stands in, and the program. */
const programs = [...readFileSync(join(root, 'EMBEDDING.md'), 'utf8').matchAll(/^## (.*)$|```ts\n([^]*?)```/gm)].reduce<
  (readonly [string, string])[]
>((found, [, title, program]) => {
  if (title !== undefined) return [...found, [title, '']]
  return [...found.slice(0, -1), [found.at(-1)?.[0] ?? '', program ?? '']]
}, [])

test.each(programs)('the program of "%s" prints what the guide says', (_, program) => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-embedding-'))
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    const entry = (path: string): string => pathToFileURL(join(root, `src/entries/${path}.ts`)).href
    const code = program.replaceAll(
      /from 'sluice(?:\/(\w+))?'/g,
      (_all, path?: string) => `from '${entry(path ?? 'sluice')}'`,
    )
    writeFileSync(join(folder, 'program.ts'), code)
    const expected = code.split('\n').flatMap((line) => (line.startsWith('// ') ? [`${line.slice(3)}\n`] : []))
    expect(expected).not.toEqual([])
    const printed = execFileSync(process.execPath, ['program.ts'], { cwd: folder, encoding: 'utf8' })
    expect(printed).toBe(expected.join(''))
  } finally {
    rmSync(folder, { recursive: true })
  }
})
