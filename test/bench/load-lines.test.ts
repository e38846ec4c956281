import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { linesOfFile } from '../../bench/peers/load-lines.ts'

const folder = mkdtempSync(join(tmpdir(), 'load-lines-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function piecesOf(text: string): Promise<readonly string[]> {
  const file = join(folder, 'lines')
  writeFileSync(file, text)
  const pieces: string[] = []
  for await (const piece of linesOfFile(file)) pieces.push(piece.toString('latin1'))
  return pieces
}

test.each([
  ['nothing', ''],
  ['one line', 'a\n'],
  ['a last line without its end', 'a\nb'],
  [
    'lines of all lengths over many pieces',
    Array.from({ length: 9000 }, (_, i) => `${i} ${'x'.repeat(i % 997)}\n`).join(''),
  ],
  ['long lines', Array.from({ length: 90 }, (_, i) => `${i} ${'y'.repeat(60_000)}\n`).join('')],
])('the pieces of a file are its bytes, and end with a line: %s', async (_, text) => {
  const pieces = await piecesOf(text)
  expect(pieces.join('') === text).toBe(true)
  for (const piece of pieces.slice(0, -1)) expect(piece.at(-1)).toBe('\n')
})

test('a line that is too long is told', async () => {
  await expect(piecesOf(`${'z'.repeat(2 << 20)}\n`)).rejects.toThrow('line longer than')
})
