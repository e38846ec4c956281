import type { TestReport, TestResult } from './report.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\t': '&#9;',
  '\r': '&#13;',
}

/** Characters that XML 1.0 cannot represent, including unpaired surrogates. */
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu

function escapeXml(text: string): string {
  return text.replaceAll(FORBIDDEN, '\ufffd').replaceAll(/[&<>"\n\t\r]/g, (character) => ENTITIES[character] ?? '')
}

function testCase({ name, failure }: TestResult, file: string): string {
  const head = `<testcase classname="${escapeXml(file)}" name="${escapeXml(name)}"`
  if (failure === undefined) return `    ${head}/>`
  const [message = ''] = failure.split('\n', 1)
  return `    ${head}>\n      <failure message="${escapeXml(message)}">${escapeXml(failure)}</failure>\n    </testcase>`
}

function counts(tests: readonly TestResult[]): string {
  return `tests="${tests.length}" failures="${tests.filter(({ failure }) => failure !== undefined).length}"`
}

/** Formats reports as JUnit XML: a suite for each file, a case for each test. */
export function junitXml(reports: readonly TestReport[]): string {
  const suites = reports.flatMap(({ file, tests }) => [
    `  <testsuite name="${escapeXml(file)}" ${counts(tests)}>`,
    ...tests.map((test) => testCase(test, file)),
    '  </testsuite>',
  ])
  const all = reports.flatMap(({ tests }) => tests)
  return ['<?xml version="1.0" encoding="UTF-8"?>', `<testsuites ${counts(all)}>`, ...suites, '</testsuites>', ''].join(
    '\n',
  )
}
