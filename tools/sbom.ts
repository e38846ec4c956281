import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { root } from './library.ts'

/**
 * Writes the software bill of materials in CycloneDX: `node tools/sbom.ts [file]`, `dist/sbom.cdx.json` by default. It
 * lists the dependencies that npm installs with the package, and the packages that `tools/bundle.ts` has bundled into
 * its files. It reads the lock file and needs no network.
 */
interface Component {
  readonly 'bom-ref': string
}

interface Bom {
  readonly metadata: { readonly component: Component & { readonly name: string } }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

function npmSbom(...options: readonly string[]): Bom {
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--workspaces=false', ...options]
  // The output for all development packages exceeds the default limit of 1 MiB.
  const text = execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  return JSON.parse(text) as Bom
}

/** `name@version` of each package in the files of `dist`. */
function bundled(): readonly string[] {
  const text = readFileSync(join(root, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8')
  return Array.from(text.matchAll(/^(\S+) (\d+\.\d+\.\d+\S*) \(/gm), ([, name, version]) => `${name}@${version}`)
}

const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly name: string }
const all = npmSbom()
const own = all.metadata.component['bom-ref']
const installed = npmSbom('--omit=dev').components.map((component) => component['bom-ref'])
const shipped = new Set([own, ...installed, ...bundled()])
const bom = {
  ...all,
  // npm uses the name of the folder; the component must have the name of the package.
  metadata: { ...all.metadata, component: { ...all.metadata.component, name } },
  components: all.components.filter((component) => shipped.has(component['bom-ref'])),
  dependencies: all.dependencies
    .filter(({ ref }) => shipped.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => shipped.has(each)) })),
}
writeFileSync(resolve(process.argv[2] ?? join(root, 'dist/sbom.cdx.json')), `${JSON.stringify(bom, undefined, 2)}\n`)
