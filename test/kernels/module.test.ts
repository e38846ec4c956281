// @module-tag slow
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import process from 'node:process'
import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

test('the committed module is what `npm run build:kernels` writes', () => {
  const tool = resolve(import.meta.dirname, '../../tools/kernels.ts')
  const { status, stderr } = spawnSync(process.execPath, [tool, '--check'], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

function RefusedModule(): never {
  throw new Error("Refused to compile WebAssembly because 'unsafe-eval' is not allowed")
}

test.each<[runtime: string, api: unknown]>([
  ['without WebAssembly', undefined],
  ['whose content security policy refuses WebAssembly', { Module: RefusedModule }],
])('plain kernels run in a runtime %s', async (_, api) => {
  vi.resetModules()
  vi.stubGlobal('WebAssembly', api)
  const { KernelMemory } = await import('../../src/kernels/index.ts')
  const { buffer, kernels } = new KernelMemory(100)
  new Float64Array(buffer).set([1.5, 2])
  const end = kernels.writeNumbers(64, 8, 2, 0, 128, 0, 96)
  expect(new TextDecoder().decode(new Uint8Array(buffer, 128, end - 128))).toBe('1.52')
})

test('compiled kernels run where WebAssembly is there', async () => {
  const { KernelMemory } = await import('../../src/kernels/index.ts')
  // The exports of an instance are frozen.
  expect(Object.isFrozen(new KernelMemory(100).kernels)).toBe(true)
})
