import type { NavGroup } from './layout.ts'

/** Summary of each page by path. */
type Summaries = ReadonlyMap<string, string>

/** The first sentence of a text. */
function sentence(text: string): string {
  return /^.*?[.:](?=\s|$)/.exec(text)?.[0].replace(/:$/, '.') ?? text
}

/**
 * Returns `llms.txt`: a summary of the project, then the pages by group, each with the address of its Markdown.
 * `others` are pages without a group, listed as optional.
 */
export function llmsText(
  summary: string,
  nav: readonly NavGroup[],
  pages: Summaries,
  others: readonly string[],
): string {
  const told = new Set<string>()
  const line = (title: string, path: string): string => {
    told.add(path)
    const about = sentence(pages.get(path) ?? '')
    return `- [${title}](${path})${about === '' ? '' : `: ${about}`}`
  }
  const groups = nav.map(
    ({ title, links }) => `## ${title}\n\n${links.map((link) => line(link.title, link.path)).join('\n')}`,
  )
  const left = others.filter((path) => !told.has(path)).map((path) => line(path.replace(/\.md$/, ''), path))
  return `# Sluice\n\n> ${summary}\n\n${groups.join('\n\n')}\n\n## Optional\n\n${left.join('\n')}\n`
}
