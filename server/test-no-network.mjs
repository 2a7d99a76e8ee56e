// Loaded into a server under test: ends it at the first connection or name look-up that leaves this
// machine. What it saw stands on standard error.
import dns from 'node:dns'
import net from 'node:net'
import process from 'node:process'

const home = /^(127\.|::1$|localhost$|\/|\\)/

/** @param {unknown} target */
function stopUnlessHome(target) {
  if (home.test(String(target))) return
  process.stderr.write(`left the machine: ${target}\n`)
  process.exit(99)
}

const connect = net.Socket.prototype.connect
net.Socket.prototype.connect = new Proxy(connect, {
  apply(original, socket, args) {
    const [options] = Array.isArray(args[0]) ? args[0] : args
    if (typeof options === 'object') stopUnlessHome(options.host ?? options.path ?? 'localhost')
    return Reflect.apply(original, socket, args)
  },
})

dns.lookup = new Proxy(dns.lookup, {
  apply(original, self, args) {
    stopUnlessHome(args[0])
    return Reflect.apply(original, self, args)
  },
})
