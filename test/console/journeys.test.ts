// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { violations } from './axe.ts'
import { openConsole, type Console, type Opened } from './browser.ts'
import { keepPicture, picture } from './pictures.ts'

/** Journeys of an engineer on call, at two window widths. `SLUICE_PICTURES=FOLDER` saves a screenshot of each step. */
let open: Console
beforeAll(async () => {
  open = await openConsole()
})
afterAll(async () => open.close())

/**
 * A journey in progress. Each step is checked for accessibility; with `SLUICE_PICTURES` it is also saved as a
 * screenshot.
 */
class Journey {
  readonly #opened: Opened
  readonly #name: string
  #steps = 0

  constructor(opened: Opened, name: string) {
    this.#opened = opened
    this.#name = name
  }

  get page(): Page {
    return this.#opened.page
  }

  async step(): Promise<void> {
    this.#steps++
    keepPicture(`${this.#name.replaceAll(/\W+/g, '-')}-${this.#steps}`, await picture(this.page))
  }

  async end(): Promise<void> {
    expect(await violations(this.page)).toEqual([])
    expect(this.#opened.troubles).toEqual([])
    await this.#opened.close()
  }
}

const link = (params: Readonly<Record<string, string>>, page = 'logs'): string =>
  `#/${page}?${new URLSearchParams(params).toString()}`

const rows = '.rows .row:not(.header) .cell.message:not(.faint)'

const journeys: readonly {
  readonly name: string
  readonly view?: string
  readonly isOverFiles?: boolean
  readonly run: (journey: Journey) => Promise<void>
}[] = [
  {
    name: 'find the cause of the incident',
    run: async (journey) => {
      const { page } = journey
      await page.locator(rows).first().waitFor()
      await page.locator('.histogram rect.level-error').first().waitFor()
      await journey.step()
      await page.locator('.query-editor .cm-content').fill('level:error')
      await page.keyboard.press('Control+Enter')
      await page.getByRole('tab', { name: 'Patterns' }).click()
      await page.locator('.patterns tbody tr').first().waitFor()
      await journey.step()
      await page.getByRole('button', { name: /^connection pool exhausted/ }).click()
      await page.locator(rows).first().waitFor()
      await page.getByRole('tab', { name: 'Table' }).click()
      await page.locator('table.groups tbody tr').first().waitFor()
      expect(await page.locator('table.groups').textContent()).toContain('payments')
      await journey.step()
    },
  },
  {
    name: 'compare the errors with everything else',
    view: link({ q: 'level:error', form: 'compare' }),
    run: async (journey) => {
      const { page } = journey
      await page.locator('.compare tbody tr').first().waitFor()
      expect(await page.locator('.compare tbody tr').nth(1).textContent()).toContain('504')
      await journey.step()
      await page.locator('.split input').fill('_time:10m')
      await page.keyboard.press('Enter')
      await expect.poll(() => page.url()).toContain('split=')
      await page.locator('.compare tbody tr').first().waitFor()
      await journey.step()
    },
  },
  {
    name: 'follow a trace from a log row',
    view: link({ q: 'level:error timeout' }),
    run: async (journey) => {
      const { page } = journey
      await page.locator(rows).first().click()
      await page.getByRole('link', { name: 'Open the trace' }).click()
      await expect.poll(() => page.url()).toContain('#/traces')
      await page.locator('.critical').first().waitFor({ state: 'attached' })
      await journey.step()
    },
  },
  {
    name: 'open a file without a server',
    isOverFiles: true,
    run: async (journey) => {
      const { page } = journey
      await journey.step()
      const lines = Array.from(
        { length: 500 },
        (_, i) => `2026-03-10T11:${String(i % 60).padStart(2, '0')}:00Z ${i % 7 === 0 ? 'ERROR' : 'INFO'} request ${i}`,
      )
      await page.setInputFiles('.drop-zone input[type=file]', {
        name: 'app.log',
        mimeType: 'text/plain',
        buffer: Buffer.from(lines.join('\n')),
      })
      await page.locator(rows).first().waitFor()
      await journey.step()
    },
  },
  {
    name: 'mend a query that is wrong',
    view: link({ q: 'levl:error | stat by (workload) count()' }),
    run: async (journey) => {
      const { page } = journey
      await page.locator('.failure').waitFor()
      await journey.step()
      await page.getByRole('button', { name: 'Write `stats`' }).click()
      await page.locator('.failure').waitFor({ state: 'detached' })
      await journey.step()
    },
  },
  {
    name: 'see why a query costs what it costs',
    view: link({ q: 'level:error pool', form: 'explain' }),
    run: async (journey) => {
      const { page } = journey
      await page.locator('.plan .step').first().waitFor()
      await page.getByRole('button', { name: 'Run and measure' }).click()
      await page.locator('.plan .measure').first().waitFor()
      await journey.step()
    },
  },
  {
    name: 'count errors by service over time',
    view: link({ q: 'level:error | stats by (_time:5m, workload) count() n', from: 'now-6h' }),
    run: async (journey) => {
      const { page } = journey
      await page.locator('.legend li').first().waitFor()
      await journey.step()
      await page.getByRole('tab', { name: 'Heat map' }).click()
      await page.locator('.heat-view td').first().waitFor()
      await journey.step()
    },
  },
  {
    name: 'look at the rows around one',
    view: link({ q: 'level:error', row: '0' }),
    run: async (journey) => {
      const { page } = journey
      await page.getByRole('button', { name: 'Rows around it' }).click()
      await expect.poll(() => page.url()).not.toContain('level%3Aerror')
      await page.locator(rows).first().waitFor()
      await journey.step()
      await page.goBack()
      await expect.poll(() => page.url()).toContain('level%3Aerror')
    },
  },
  {
    name: 'choose a range of time',
    run: async (journey) => {
      const { page } = journey
      await page.locator('.time-picker > .button').click()
      await page.getByLabel('From').fill('last tuesday')
      await page.getByRole('button', { name: 'Apply' }).click()
      await page.locator('.exact .fault').filter({ hasText: 'last tuesday' }).waitFor()
      await journey.step()
      await page.getByLabel('From').fill('now-3h')
      await page.getByRole('button', { name: 'Apply' }).click()
      await expect.poll(() => page.url()).toContain('from=now-3h')
      await page.locator(rows).first().waitFor()
    },
  },
  {
    name: 'use the keyboard alone',
    view: link({ q: 'level:error' }),
    run: async (journey) => {
      const { page } = journey
      await page.locator(rows).first().waitFor()
      await page.keyboard.press('?')
      await page.getByRole('dialog').waitFor()
      await journey.step()
      await page.keyboard.press('Escape')
      await page.locator('.list').focus()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      await page.locator('.detail .field').first().waitFor()
      expect(await page.locator('.detail h2').first().textContent()).toBe('Row 2')
      await journey.step()
    },
  },
  {
    name: 'look for a monitor that fires',
    view: '#/monitors',
    run: async (journey) => {
      await journey.page.getByRole('heading', { name: 'Monitors' }).first().waitFor({ state: 'attached' })
      await journey.step()
    },
  },
  {
    name: 'begin a silence',
    view: '#/silences',
    run: async (journey) => {
      await journey.page.getByRole('heading', { name: 'Silences' }).first().waitFor({ state: 'attached' })
      await journey.step()
    },
  },
]

describe.each([1280, 390])('%i pixels wide', (width) => {
  test.each(journeys)('$name', async ({ name, view = '', isOverFiles = false, run }) => {
    const journey = new Journey(await open.open({ width, view, isOverFiles }), `${name} ${width}`)
    await run(journey)
    await journey.end()
  })
})
