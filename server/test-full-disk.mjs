// Loaded into a server under test: while the file that FULL_DISK names is there, no file in its folders can
// grow. What lies within a file's size can still be written, as on a disk that is full. The file says which
// files these are: the words must be part of their path.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import process from 'node:process'

/** @type {Map<number, string>} */
const paths = new Map()
const { FULL_DISK: marker = '' } = process.env

/** @param {number} fd */
function isFull(fd) {
  if (!fs.existsSync(marker)) return false
  return (paths.get(fd) ?? '').includes(fs.readFileSync(marker, 'utf8'))
}

fs.openSync = new Proxy(fs.openSync, {
  apply(original, self, args) {
    const fd = Reflect.apply(original, self, args)
    paths.set(fd, String(args[0]))
    return fd
  },
})

fs.writeSync = new Proxy(fs.writeSync, {
  apply(original, self, args) {
    const [fd, , , length, position] = args
    const end = position + length
    if (typeof position === 'number' && isFull(fd) && fs.fstatSync(fd).size < end) {
      // At once: the database may never give the process back.
      Reflect.apply(original, self, [1, `no room: ${paths.get(fd)}\n`])
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    }
    return Reflect.apply(original, self, args)
  },
})
syncBuiltinESMExports()
