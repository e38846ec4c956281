import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const licenceFile = /^(licen[cs]e|copying|notice|third-?party-?notices)(\.(txt|md))?$/i
const packageFolder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
}

/**
 * Returns the licence texts of the packages that contain these modules, each text once. Throws if a package has none.
 */
export function licencesOf(modules: Iterable<string>): string {
  const folders = new Set([...modules].flatMap((path) => packageFolder.exec(path.replaceAll('\\', '/'))?.[0] ?? []))
  const texts = new Map<string, string>()
  for (const folder of folders) {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
    const files = readdirSync(folder).filter((name) => licenceFile.test(name))
    if (manifest.license === undefined && files.length === 0)
      throw new Error(`${manifest.name} is part of the bundle and has no licence`)
    const title = `${manifest.name} ${manifest.version} (${manifest.license ?? 'see below'})`
    texts.set(
      title,
      files.map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r', '').trim()).join('\n\n'),
    )
  }
  const parts = [...texts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([title, text]) => `${title}\n\n${text}`.trim())
  return `Packages that are part of the files of this folder, with their licences.\n\n${parts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}
