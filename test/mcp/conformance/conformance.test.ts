// @module-tag slow
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'
import { extendedEndpoint } from '../../../src/mcp/index.ts'
import { createServer } from '../../../src/entries/server.ts'
import { addFixtures } from './fixtures.ts'
import { keyedProxy } from './keyed-proxy.ts'

const key = 'sluice_0123456789abcdefghijklmnopqrstuv'

test('the conformance suite of the protocol passes, but for requests to the client', async () => {
  const server = await createServer({
    keys: [key],
    mcp: () => Promise.resolve(extendedEndpoint({}, addFixtures)),
  })
  const { port } = await server.listen({ port: 0 })
  // The suite cannot send an API key.
  const proxy = await keyedProxy(port, key)
  const results = mkdtempSync(join(tmpdir(), 'sluice-mcp-'))
  try {
    const suite = dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json'))
    const child = spawn(
      process.execPath,
      [
        join(suite, 'dist/index.js'),
        'server',
        '--url',
        `http://127.0.0.1:${proxy.port}/mcp`,
        '--expected-failures',
        join(import.meta.dirname, 'expected-failures.yml'),
      ],
      { cwd: results },
    )
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
    const code = await new Promise((done, fail) => child.on('error', fail).on('close', done))
    const failed = [...output.matchAll(/^✗ ([\w-]+):/gm)].map(([, name]) => name)
    expect(failed).toEqual([
      'tools-call-sampling',
      'tools-call-elicitation',
      'elicitation-sep1034-defaults',
      'elicitation-sep1330-enums',
    ])
    expect(output).toContain('dns-rebinding-protection: 2 passed, 0 failed')
    expect(code, output).toBe(0)
  } finally {
    await proxy.close()
    await server.close()
    rmSync(results, { recursive: true, force: true })
  }
})
