import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { Declarations, between } from './declarations.ts'

/**
 * Writes the package's declarations: `node tools/types.ts [folder]`, `dist/types` unless given. Only what the entries let
 * be seen goes along, so that whoever uses the package needs the types of nothing that it uses inside.
 */
const root = resolve(import.meta.dirname, '..')
const out = resolve(process.argv[2] ?? join(root, 'dist/types'))
const made = mkdtempSync(join(tmpdir(), 'sluice-types-'))

try {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json'), '--outDir', made], {
    stdio: 'inherit',
  })
  const declarations = new Declarations(made)
  const entries = new Map<string, string>()
  for (const name of readdirSync(join(made, 'entries'))) {
    const path = join(made, 'entries', name)
    const places = [...declarations.exportsOf(path)]
    for (const [, place] of places) declarations.see(place)
    const lines = places.map(([exported, place]) => {
      const names = exported === place.name ? exported : `${place.name} as ${exported}`
      return `export { ${names} } from '${between(join(made, name), place.path)}';\n`
    })
    entries.set(name, lines.join(''))
  }
  rmSync(out, { recursive: true, force: true })
  for (const [path, text] of [...declarations.files(), ...entries]) {
    mkdirSync(dirname(join(out, path)), { recursive: true })
    writeFileSync(join(out, path), text)
  }
} finally {
  rmSync(made, { recursive: true, force: true })
}
