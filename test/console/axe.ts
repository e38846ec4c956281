import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[]
}

/**
 * Returns the accessibility violations on a page: rule, element, and remedy. `only` is the one rule to check; default:
 * all.
 */
export async function violations(page: Page, only?: string): Promise<readonly string[]> {
  // Playwright runs the checker directly, because the page's content security policy would block a script element for
  // it.
  await page.evaluate(source)
  const found = await page.evaluate(
    async (options) => {
      const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<{ violations: unknown }> } }
      return (await axe.run(options)).violations
    },
    // The checker describes elements of violations alone; it would take twice as long to describe all others too.
    { resultTypes: ['violations'], ...(only === undefined ? {} : { runOnly: [only] }) },
  )
  return (found as readonly Violation[]).flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
  )
}
