import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[]
}

/** Returns the accessibility violations on a page: rule, element, and remedy. */
export async function violations(page: Page): Promise<readonly string[]> {
  // The checker is evaluated from outside, because the page's content security policy would reject it as a script of
  // the page.
  await page.evaluate(source)
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: unknown }> } }
    return (await axe.run()).violations
  })
  return (found as readonly Violation[]).flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
  )
}
