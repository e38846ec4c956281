import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const kit = new URL('../../../src/lang/kit/', import.meta.url)

/** Returns the code of the kit's README as one module, with imports by absolute URL. */
function programOfReadme(): string {
  const readme = readFileSync(new URL('README.md', kit), 'utf8')
  const blocks = [...readme.matchAll(/```ts\n([^]*?)```/g)].map(([, block = '']) => block)
  return blocks.join('\n').replaceAll(/from '(\.[^']+)'/g, (_, path: string) => `from '${new URL(path, kit).href}'`)
}

/** Writes the program to a file, calls `use` with its URL, and removes the file. */
export async function withReadmeProgram<R>(use: (href: string) => Promise<R>): Promise<R> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-kit-'))
  try {
    const file = join(folder, 'find.ts')
    writeFileSync(file, programOfReadme())
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    return await use(file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
