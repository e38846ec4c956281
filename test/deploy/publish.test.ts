// @module-tag slow
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { root } from './dockerfile.ts'

const isBuilt = existsSync(join(root, 'dist/THIRD-PARTY-LICENSES.txt'))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly publishConfig: object
}

/** An unreachable registry: nothing listens on port 9. */
const withoutRegistry = { npm_config_registry: 'http://127.0.0.1:9', npm_config_fetch_retries: '0' }

/** Runs npm with that registry. */
function npm(...args: readonly string[]): {
  readonly status: number | null
  readonly out: string
  readonly error: string
} {
  const env = { ...process.env, ...withoutRegistry }
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: root, env, encoding: 'utf8' })
  return { status, out: stdout, error: stderr }
}

interface Component {
  readonly name: string
  readonly version: string
  readonly licenses?: readonly object[]
}

test('a release is public and has a provenance, which says what built it', () => {
  expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true })
})

describe.skipIf(!isBuilt)(`the built package (${isBuilt ? 'npm run build has run' : 'needs npm run build'})`, () => {
  test('can be published: a dry run passes', () => {
    const { status, out, error } = npm('publish', '--dry-run')
    expect({ status, last: out.trim(), error: status === 0 ? '' : error }).toEqual({
      status: 0,
      last: `+ sluice@${manifest.version}`,
      error: '',
    })
    for (const file of [
      'bin/sluice.cjs',
      'dist/sluice.js',
      'dist/cli/main.js',
      'dist/THIRD-PARTY-LICENSES.txt',
      'dist/sluice.1',
    ])
      expect(error).toContain(` ${file}\n`)
  })

  test('has a bill of materials: all that npm installs with it, and all that is part of its files, each with a licence', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'sluice-sbom-')), 'sbom.cdx.json')
    const env = { ...process.env, ...withoutRegistry }
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'tools/sbom.ts'), file], {
      env,
      encoding: 'utf8',
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const out = readFileSync(file, 'utf8')
    const bom = JSON.parse(out) as {
      readonly bomFormat: string
      readonly metadata: { readonly component: object }
      readonly components: readonly Component[]
    }
    expect(bom.bomFormat).toBe('CycloneDX')
    expect(bom.metadata.component).toMatchObject({ name: 'sluice', version: manifest.version })
    expect(out).not.toContain(root)
    const listed = bom.components.map(({ name, version }) => `${name}@${version}`)
    for (const [name, version] of Object.entries(manifest.dependencies)) expect(listed).toContain(`${name}@${version}`)
    const licences = readFileSync(join(root, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8')
    const bundled = Array.from(
      licences.matchAll(/^(\S+) (\d+\.\d+\.\d+\S*) \(/gm),
      ([, name, version]) => `${name}@${version}`,
    )
    expect(bundled.length).toBeGreaterThan(20)
    expect(bundled.filter((each) => !listed.includes(each))).toEqual([])
    // Packages that are needed only to build and test must not be listed.
    expect(listed.filter((each) => /^(?:vitest|typescript|rolldown|playwright-core)@/.test(each))).toEqual([])
    expect(bom.components.filter(({ licenses = [] }) => licenses.length === 0)).toEqual([])
  })
})
