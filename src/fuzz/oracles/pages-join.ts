import { answerOf, isSampleRefused } from '../answer.ts'
import { backendNames } from '../subject.ts'
import type { Oracle } from './oracle.ts'

/** Pages of an answer, cut by `offset` and `limit`, concatenate to the whole answer. */
export const pagesJoin: Oracle = {
  name: 'pages-join',
  check: async ({ text, subject, model, random }) => {
    if ('error' in model) return undefined
    const backend = random.pick(backendNames)
    const pageRows = 1 + random.below(7)
    const pages: string[] = []
    for (let offset = 0; offset <= model.rows.length; offset += pageRows) {
      const page = await answerOf(() => subject.query(`${text} | offset ${offset} | limit ${pageRows}`, backend))
      if (isSampleRefused(page, () => subject.lowered(text))) return undefined
      if ('error' in page) return `${backend}: the page at ${offset} fails with ${page.error}`
      pages.push(...page.rows)
    }
    return JSON.stringify(pages) === JSON.stringify(model.rows)
      ? undefined
      : `${backend}: pages of ${pageRows} rows do not join to the whole`
  },
}
