// @module-tag slow
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withoutCode } from '../../tools/site/source.ts'
import { allPages } from '../docs/pages.ts'
import { isShown } from '../docs/run-page.ts'
import { isUpdatingGolden, writeGolden } from '../harness/golden.ts'
import { build, varies, type Built } from './built.ts'

let site: Built
beforeAll(async () => {
  site = await build()
})
afterAll(() => site.remove())

const read = (path: string): string => readFileSync(join(site.folder, path), 'utf8')

function htmlPages(): readonly string[] {
  return readdirSync(site.folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'))
}

describe('answers', () => {
  test('every answer that a page prints is that of its queries', () => {
    const wrong = site.printed.flatMap(({ page, blocks, text }) => {
      const actual = blocks.map(({ answer }) => answer.text).join('')
      const isEqual = blocks[0]?.command === '' ? rowsOf(text) === rowsOf(actual) : isShown(text, actual)
      return isEqual ? [] : [{ page, text, actual }]
    })
    expect(wrong).toEqual([])
    expect(site.printed.length).toBeGreaterThan(10)
  })

  test('every query answers as the golden file says, which has a line for each', () => {
    const golden = join(import.meta.dirname, 'answers.txt')
    const lines = site.blocks.map(({ page, run: { id, block, answer } }) => {
      const codes = answer.diagnostics.map(({ code }) => code)
      const digest = varies(block.query)
        ? 'varies'
        : createHash('sha256').update(answer.text).digest('hex').slice(0, 12)
      return [
        page,
        id,
        answer.text === '' ? 'no answer' : `${answer.text.split('\n').length - 1} lines ${digest}`,
        ...codes,
      ].join(' ')
    })
    const text = `${lines.join('\n')}\n`
    if (isUpdatingGolden) writeGolden(golden, text)
    expect(text).toBe(readFileSync(golden, 'utf8'))
  })

  test('only queries that the site itself causes to fail have errors', () => {
    const failing = site.blocks
      .filter(({ run }) => run.answer.diagnostics.some(({ severity }) => severity === 'error'))
      .map(({ page, run }) => `${page} ${run.id}`)
    // A page of a diagnostic starts with a failing query, and the front page has one that a click repairs.
    expect(failing.filter((each) => !/^diagnostics\/.* q1$/.test(each) && each !== 'index.md q3')).toEqual([])
  })

  test('every command that queries files of its page can be run', () => {
    const runnable = new Set(site.blocks.map(({ run }) => run.command))
    const pages = [...allPages(), { path: '', text: readFileSync('grammar/reference/questions.md', 'utf8') }]
    const lines = pages.flatMap(({ path, text }) =>
      path === 'README.md' ? [] : (text.match(/^sluice (?:query|promql) .*$/gm) ?? []),
    )
    const left = lines.filter((line) => !runnable.has(line))
    // The browser page has no server, database or stored data folder, so commands that need one cannot run there.
    const needsMore = / --(?:server|catalog|data) /
    expect(left.filter((line) => !needsMore.test(line))).toEqual([])
    expect(runnable.size).toBeGreaterThan(25)
  })
})

function rowsOf(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.stringify(JSON.parse(line)))
    .join('\n')
}

describe('links', () => {
  /** Returns the links of a page whose file or element does not exist. */
  function deadLinks(path: string): readonly string[] {
    const targets = Array.from(
      read(path).matchAll(/(?:href|src|data-[a-z-]*worker|data-search)="([^"]*)"/g),
      ([, target = '']) => target.replaceAll('&amp;', '&'),
    )
    return targets.filter((target) => {
      if (/^(?:https?|data|mailto):/.test(target)) return false
      const [file = '', fragment] = target.split('#')
      const linked = join(site.folder, file === '' ? path : join(dirname(path), file))
      if (!existsSync(linked) || !statSync(linked).isFile()) return true
      if (fragment === undefined || !linked.endsWith('.html')) return false
      return !readFileSync(linked, 'utf8').includes(` id="${fragment}"`)
    })
  }

  test('no link is dead', () => {
    const dead = htmlPages()
      .filter((path) => site.pages.includes(path.replace(/\.html$/, '.md')))
      .flatMap((path) => deadLinks(path).map((target) => `${path}: ${target}`))
    expect(dead).toEqual([])
  })

  test('each page is there as HTML and as Markdown, and links to its twin', () => {
    for (const path of site.pages) {
      expect(existsSync(join(site.folder, path))).toBe(true)
      const name = path.slice(path.lastIndexOf('/') + 1)
      expect(read(path.replace(/\.md$/, '.html'))).toContain(
        `<link rel="alternate" type="text/markdown" href="${name}">`,
      )
    }
  })

  test('links between Markdown twins lead to files', () => {
    const dead = site.pages.flatMap((path) => {
      const text = withoutCode(read(path))
      return Array.from(text.matchAll(/(?<!\\)\]\(([^)\s#]+)(?:#[^)]*)?\)/g), ([, target = '']) => target)
        .filter((target) => !/^[a-z]+:/.test(target) && !existsSync(join(site.folder, dirname(path), target)))
        .map((target) => `${path}: ${target}`)
    })
    expect(dead).toEqual([])
  })

  test('llms.txt lists every page of docs with the address of its Markdown', () => {
    const listed = Array.from(read('llms.txt').matchAll(/^- \[[^\]]+\]\(([^)]+)\)/gm), ([, path]) => path ?? '')
    expect(listed.filter((path) => !existsSync(join(site.folder, path)))).toEqual([])
    const docs = site.pages.filter((path) => path.startsWith('docs/') && path !== 'docs/README.md')
    expect(docs.filter((path) => !listed.includes(path))).toEqual([])
    expect(new Set(listed).size).toBe(listed.length)
  })
})

describe('pages', () => {
  test('nothing but files of the site is loaded, and nothing is run or styled inline', () => {
    for (const path of site.pages) {
      const html = read(path.replace(/\.md$/, '.html'))
      expect(html).toContain('http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;')
      expect(html.match(/<script(?![^>]* src=)[^>]*>|<style|\sstyle=|\son[a-z]+="|javascript:/g)).toBeNull()
      expect(html.match(/(?:src|href)="https?:[^"]*"/g)?.filter((link) => link.startsWith('src')) ?? []).toEqual([])
    }
  })

  test('every query is on its page as text, with its answer', () => {
    for (const { page, run } of site.blocks) {
      const html = read(page.replace(/\.md$/, '.html'))
      const block = html.slice(html.indexOf(`<div class="query" id="${run.id}"`))
      const [, shown = ''] = /<pre class="text"[^>]*><code>([^]*?)<\/code>/.exec(block) ?? []
      expect(textOf(shown)).toBe(run.block.query)
      if (run.answer.text !== '') expect(block).toContain('<pre class="answer"')
    }
  })

  test('the search index is small, and is no part of a page', () => {
    const index = readFileSync(join(site.folder, site.search))
    expect(gzipSync(index, { level: 9 }).length).toBeLessThanOrEqual(100_000)
  })
})

function textOf(html: string): string {
  const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => entities[name] ?? '')
}
