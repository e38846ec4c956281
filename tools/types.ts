import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { Declarations, between, type Place } from './declarations.ts'

/**
 * Writes the package's declarations: `node tools/types.ts [folder]`, `dist/types` by default. They contain only what
 * the entries expose, so that users of the package need no types of its dependencies. The entry `types` exports every
 * type that the others use, so that the compiler can name each of them in the declarations of a dependent library.
 */
const root = resolve(import.meta.dirname, '..')
const out = resolve(process.argv[2] ?? join(root, 'dist/types'))
const made = mkdtempSync(join(tmpdir(), 'sluice-types-'))
const ALL_TYPES = 'types.d.ts'

function idOf({ path, name }: Place): string {
  return `${path}:${name}`
}

function capitalized(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

try {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json'), '--outDir', made], {
    stdio: 'inherit',
  })
  const declarations = new Declarations(made)
  const entries = new Map<string, string>()
  const exportsOf = (path: string, places: Iterable<readonly [string, Place]>, word = 'export'): string => {
    const lines = Array.from(places, ([exported, place]) => {
      const names = exported === place.name ? exported : `${place.name} as ${exported}`
      return `${word} { ${names} } from '${between(path, place.path)}';\n`
    })
    return lines.join('')
  }
  const exported = new Set<string>()
  for (const name of readdirSync(join(made, 'entries'))) {
    if (name === ALL_TYPES) continue
    const places = [...declarations.exportsOf(join(made, 'entries', name))]
    for (const [, place] of places) {
      declarations.see(place)
      exported.add(idOf(place))
    }
    // The compiler refers to a type by a file that is part of the program. So each entry imports the file with all
    // types.
    entries.set(name, `import './${basename(ALL_TYPES, '.d.ts')}.js';\n${exportsOf(join(made, name), places)}`)
  }
  // The types of the fuzzers are left out: they need `fast-check`, which most users do not install.
  const types = declarations.seenTypes().filter(({ path }) => !path.startsWith(join(made, 'fuzz/')))
  const ofName = Map.groupBy(types, ({ name }) => name)
  const named = types.map((place): readonly [string, Place] => {
    const others = (ofName.get(place.name) ?? []).filter((other) => other !== place)
    const isKnown = exported.has(idOf(place)) && !others.some((other) => exported.has(idOf(other)))
    const keepsName = others.length === 0 || isKnown
    return [keepsName ? place.name : `${capitalized(basename(dirname(place.path)))}${place.name}`, place]
  })
  entries.set(ALL_TYPES, exportsOf(join(made, ALL_TYPES), named, 'export type'))
  rmSync(out, { recursive: true, force: true })
  for (const [path, text] of [...declarations.files(), ...entries]) {
    mkdirSync(dirname(join(out, path)), { recursive: true })
    writeFileSync(join(out, path), text)
  }
} finally {
  rmSync(made, { recursive: true, force: true })
}
