import { expect, test } from 'vitest'
import { junitXml } from '../../../src/alerting/testing/junit.ts'

test('JUnit reports have a suite for each file, and escape what XML cannot hold', () => {
  const report = {
    file: 'a "b".yaml',
    tests: [{ name: 'good' }, { name: 'bad', failure: 'line 1: <x> & y\n  got: \u0000' }],
  }
  expect(junitXml([report])).toBe(
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<testsuites tests="2" failures="1">',
      '  <testsuite name="a &quot;b&quot;.yaml" tests="2" failures="1">',
      '    <testcase classname="a &quot;b&quot;.yaml" name="good"/>',
      '    <testcase classname="a &quot;b&quot;.yaml" name="bad">',
      '      <failure message="line 1: &lt;x&gt; &amp; y">line 1: &lt;x&gt; &amp; y&#10;  got: \ufffd</failure>',
      '    </testcase>',
      '  </testsuite>',
      '</testsuites>',
      '',
    ].join('\n'),
  )
})
