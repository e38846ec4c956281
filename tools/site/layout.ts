import { dirname, join } from 'node:path/posix'
import { escapeHtml, relativeTo } from './html.ts'
import type { Rendered } from './markdown.ts'
import type { Source } from './source.ts'

/** Files that every page loads, relative to the root of the site. */
export interface Assets {
  readonly style: string
  readonly script: string
  readonly worker: string
  readonly languageWorker: string
  readonly search: string
}

/** Licences of the bundled packages, relative to the root of the site. */
export const LICENCES = 'THIRD-PARTY-LICENSES.txt'

/** A group of links in the sidebar. */
export interface NavGroup {
  readonly title: string
  readonly links: readonly { readonly title: string; readonly path: string }[]
}

/**
 * Content security policy: only resources of the site itself are loaded, and nothing is sent elsewhere. Inline styles
 * are set by script.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%230b6bcb'/%3E%3Cpath d='M3 5h10M3 8h7M3 11h4' stroke='white' stroke-width='1.6' stroke-linecap='round'/%3E%3C/svg%3E"

/** Parses the groups of sidebar links from the contents page: one line `**Title:** [name](path) · …` for each. */
export function navOf({ path, text }: Source): readonly NavGroup[] {
  return Array.from(text.matchAll(/^\*\*(.+?):\*\* (.*)$/gm), ([, title = '', line = '']) => ({
    title,
    links: Array.from(line.matchAll(/\[([^\]]+)\]\(([^)#]+)\)/g), ([, name = '', target = '']) => ({
      title: name.charAt(0).toUpperCase() + name.slice(1),
      path: join(dirname(path), target),
    })),
  }))
}

function navHtml(groups: readonly NavGroup[], page: string): string {
  return groups
    .map(({ title, links }) => {
      const items = links.map(({ title: name, path }) => {
        const current = path === page ? ' aria-current="page"' : ''
        const address = relativeTo(page, path.replace(/\.md$/, '.html'))
        return `<li><a href="${escapeHtml(address)}"${current}>${escapeHtml(name)}</a></li>`
      })
      return `<p class="group">${escapeHtml(title)}</p><ul>${items.join('')}</ul>`
    })
    .join('\n')
}

/** Links to the headings of a page; empty for a page with few headings. */
function contentsHtml({ headings }: Rendered): string {
  const parts = headings.filter(({ depth }) => depth === 2)
  if (parts.length < 3) return ''
  const items = parts.map(({ title, anchor }) => `<li><a href="#${anchor}">${escapeHtml(title)}</a></li>`)
  return `<details class="contents"><summary>On this page</summary><ul>${items.join('')}</ul></details>`
}

/** Returns a complete HTML page. It is readable without scripts, which add search, editing and running of queries. */
export function pageHtml(path: string, page: Rendered, nav: readonly NavGroup[], assets: Assets): string {
  const at = (target: string): string => escapeHtml(relativeTo(path, target))
  const twin = path.slice(path.lastIndexOf('/') + 1)
  const isHome = path === 'index.md'
  const [heading = '', ...rest] = page.html.split(/(?<=<\/h1>\n)/)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeHtml(page.summary.slice(0, 200))}">
<title>${escapeHtml(isHome ? page.title : `${page.title} · Sluice`)}</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${at(assets.style)}">
<link rel="alternate" type="text/markdown" href="${twin}">
<script type="module" src="${at(assets.script)}" data-root="${escapeHtml(relativeTo(path, ''))}" data-worker="${at(assets.worker)}" data-language-worker="${at(assets.languageWorker)}" data-search="${at(assets.search)}"></script>
</head>
<body${isHome ? ' class="home"' : ''}>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="${at('index.html')}">Sluice</a>
<div class="search" hidden><input type="search" aria-label="Search the documentation" placeholder="Search" autocomplete="off"><div class="found" hidden></div></div>
<a class="to-pages" href="#pages">Pages</a>
</header>
<div class="frame">
<main id="content">
${heading}${isHome ? '' : contentsHtml(page)}${rest.join('')}
</main>
<nav class="side" id="pages" aria-label="Pages">
${navHtml(nav, path)}
</nav>
</div>
<footer><p><a href="${twin}">This page as Markdown</a> · <a href="${at('llms.txt')}">llms.txt</a> · Sluice is licensed under Apache-2.0, <a href="${at(LICENCES)}">packages on this site</a> as they say.</p></footer>
</body>
</html>
`
}
