// @module-tag slow
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { present } from '../../src/base/index.ts'
import { sqliteFolder } from './fixture.ts'

const root = join(import.meta.dirname, '../..')

test('the catalog and the program of the README answer', { tags: ['slow'] }, async () => {
  const readme = readFileSync(join(root, 'src/catalog/README.md'), 'utf8')
  const block = (language: string): string => present(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(readme)?.[1])
  const folder = await sqliteFolder()
  try {
    writeFileSync(join(folder.path, 'catalog.yaml'), block('yaml'))
    const entry = pathToFileURL(join(root, 'src/entries/catalog.ts')).href
    writeFileSync(join(folder.path, 'program.ts'), block('ts').replace("'sluice/catalog'", `'${entry}'`))
    const out = execFileSync(process.execPath, ['program.ts'], { cwd: folder.path, encoding: 'utf8' })
    expect(out).toContain("{ service: 'api', n: 6 }")
    expect(out).toContain('FROM requests')
  } finally {
    folder.remove()
  }
})
