import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { PagedOutput, pagerCommand, startPager, type Pager } from '../../../src/cli/prompt/pager.ts'
import { testTerminal } from '../terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-pager-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const LESS = 'less -FRX'

describe('the pager is', () => {
  test.each([
    ['what PAGER says', { PAGER: 'more -s' }, true, 'more -s'],
    ['none if PAGER is empty', { PAGER: '' }, true, undefined],
    ['none if less is not installed', { PATH: folder }, true, undefined],
    ['none on a terminal that cannot move its cursor', { PAGER: LESS, TERM: 'dumb' }, true, undefined],
    ['none without a terminal', { PAGER: LESS }, false, undefined],
  ])('%s', (_, env, isOutputTty, expected) => expect(pagerCommand({ env, isOutputTty })).toBe(expected))
})

/** Returns output for a terminal of 24 lines and 100 columns, and a pager that records the text it receives. */
function paged(hasPager = true) {
  const { terminal, told } = testTerminal({ isOutputTty: true })
  const pages: string[] = []
  let hasEnded = false
  const pager: Pager = {
    write: async (text) => void pages.push(text),
    hasEnded: () => hasEnded,
    end: async () => undefined,
  }
  const output = new PagedOutput(terminal, hasPager ? () => pager : undefined)
  return { output, told, pages, quit: () => (hasEnded = true) }
}

const lines = (count: number): string => 'line\n'.repeat(count)

describe('an answer', () => {
  test('that fits on the screen is written to it', async () => {
    const { output, told, pages } = paged()
    await output.write(lines(22))
    expect(await output.end()).toBeUndefined()
    expect(told.out).toBe(lines(22))
    expect(pages).toEqual([])
  })

  test('that is higher than the screen goes to the pager, whole', async () => {
    const { output, told, pages, quit } = paged()
    for (let i = 0; i < 30; i++) await output.write(lines(1))
    expect(output.hasEnded).toBe(false)
    quit()
    expect(output.hasEnded).toBe(true)
    await output.end()
    expect(told.out).toBe('')
    expect(pages.join('')).toBe(lines(30))
  })

  test('of few lines that are longer than the terminal is wide is higher than it seems', async () => {
    const { output, pages } = paged()
    await output.write(new TextEncoder().encode(`${'x'.repeat(2300)}\n`))
    expect(pages).toHaveLength(1)
  })

  test('cannot steer the terminal through the pager', async () => {
    const { output, pages } = paged()
    await output.write(`\u001b[2J\n${lines(30)}`)
    expect(pages.join('')).toBe(`\\x1b[2J\n${lines(30)}`)
  })

  test('without a pager is written at once', async () => {
    const { output, told } = paged(false)
    await output.write(lines(30))
    expect(told.out).toBe(lines(30))
  })
})

describe('a program', () => {
  test('gets the text on its standard input', async () => {
    const path = join(folder, 'paged')
    const pager = startPager(`cat > '${path}'`)
    await pager.write('one\n')
    await pager.write('two\n')
    expect(await pager.end()).toBeUndefined()
    expect(pager.hasEnded()).toBe(true)
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n')
  })

  test('may end before it has read everything', async () => {
    const pager = startPager('true')
    while (!pager.hasEnded()) await pager.write('x'.repeat(100_000))
    await pager.write('more')
    expect(await pager.end()).toBeUndefined()
  })

  test('that is not there is named', async () => {
    expect(await startPager('no-such-pager-here 2>/dev/null').end()).toBe(
      'The pager `no-such-pager-here 2>/dev/null` cannot be run: set PAGER to another one, or to nothing for none.',
    )
  })
})
