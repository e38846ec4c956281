#!/usr/bin/env node
'use strict'
// Runs the command line. On a Node older than the floor it re-runs itself with the Node that npm packaged, if any.
const { existsSync } = require('node:fs')
const { join, dirname } = require('node:path')

const FLOOR = [22, 14]
const [major, minor] = process.versions.node.split('.').map(Number)
const isNewEnough = major > FLOOR[0] || (major === FLOOR[0] && minor >= FLOOR[1])

if (isNewEnough) {
  // A clone runs its source; the package brings only what was compiled.
  const source = join(__dirname, '../src/cli/main.ts')
  const compiled = join(__dirname, '../dist/cli/main.js')
  require('node:module').enableCompileCache?.()
  import(require('node:url').pathToFileURL(existsSync(source) ? source : compiled).href)
} else {
  const packaged = packagedNode(__dirname)
  if (packaged === undefined) {
    process.stderr.write(`sluice needs Node ${FLOOR.join('.')} or newer; this is ${process.versions.node}.\n`)
    process.exit(2)
  }
  const child = require('node:child_process').spawn(packaged, [__filename, ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

function packagedNode(from) {
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  for (let folder = from; ; folder = dirname(folder)) {
    for (const packageName of [`node-${platform}`, `node-bin-${platform}`]) {
      const candidate = join(folder, 'node_modules', packageName, 'bin', name)
      if (existsSync(candidate)) return candidate
    }
    if (folder === dirname(folder)) return undefined
  }
}
