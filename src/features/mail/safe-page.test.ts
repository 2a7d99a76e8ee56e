import { describe, expect, it } from 'vitest'
import { safePage } from './safe-page.ts'

/** What a browser would make of the page. */
function bodyOf(raw: string): HTMLElement {
  const page = new DOMParser().parseFromString(safePage(raw).html, 'text/html')
  return page.body
}

describe('safePage', () => {
  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg onload=alert(1)><script>alert(1)</script></svg>',
    '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
    '<a href="javascript:alert(1)">x</a><a href=" jAvAsCrIpT:alert(1)">x</a>',
    '<a href="data:text/html,<script>alert(1)</script>">x</a>',
    '<form action="https://evil.example"><input name=password><button>Go</button></form>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe><object data="x"></object><embed src="x">',
    '<meta http-equiv="refresh" content="0;url=https://evil.example"><base href="https://evil.example">',
    '<link rel="stylesheet" href="https://evil.example/x.css"><style>@import "https://evil.example"</style>',
    '<div style="background:url(https://evil.example/x)">x</div><p style="background:\\75rl(x)">x</p>',
    '<body background="https://evil.example/x"><table background="https://evil.example/x"><td>x</td></table>',
    '<video poster="https://evil.example/x" src="https://evil.example/x"></video>',
    '<img srcset="https://evil.example/x 2x" src="//evil.example/x">',
    '</body></html><script>alert(1)</script>',
    '<a href="https://fine.example" ping="https://evil.example">x</a>',
  ])('leaves nothing that acts or loads in %s', (raw) => {
    const body = bodyOf(raw)
    expect(
      body.querySelector(
        'script, style, iframe, object, embed, form, input, button, meta, base, link, svg, math, video, [ping]',
      ),
    ).toBeNull()
    for (const node of body.querySelectorAll('*')) {
      for (const { name, value } of node.attributes) {
        expect(name).not.toMatch(/^on/i)
        expect(value).not.toMatch(/evil\.example|javascript:|data:text/i)
      }
    }
  })

  it('stands under a policy that loads nothing, should something get through', () => {
    const { html } = safePage('x')
    expect(html).toMatch(/<meta http-equiv="Content-Security-Policy" content="default-src 'none';/)
    expect(html).toMatch(/img-src data: blob:; form-action 'none'; base-uri 'none'"/)
    expect(html).not.toMatch(/https?:|script-src/)
  })

  it('keeps what people write', () => {
    const body = bodyOf(
      '<p style="color:red">Hello <b>you</b> <a href="https://x.example">x</a></p>',
    )
    expect(body.querySelector('p')?.getAttribute('style')).toContain('red')
    expect(body.querySelector('a')).toMatchObject({ target: '_blank' })
    expect(body.textContent).toContain('Hello you')
  })

  it('leads to web, mail and telephone alone: not into the app, nor to other programs', () => {
    const links = [
      ...['/app/settings', '//evil.example', 'app', 'ftp://evil.example', 'sms:1', 'xmpp:x@y'],
      ...['https://fine.example', 'mailto:a@b.example', 'tel:1'],
    ]
    const body = bodyOf(links.map((href) => `<a href="${href}">x</a>`).join(''))
    const led = [...body.querySelectorAll('a')].map((link) => link.getAttribute('href'))
    expect(led.filter((href) => href !== null)).toEqual(links.slice(-3))
    for (const link of body.querySelectorAll('a')) {
      expect(link.getAttribute('rel')).toBe('noopener noreferrer nofollow')
    }
  })

  it('names the pictures that a mail brings along, and shows those alone', () => {
    const raw =
      '<img src="cid:logo%40x"><img src="CID:other"><img src="blob:https://evil.example/1">'
    const none = safePage(raw)
    expect(none).toMatchObject({ pictures: [], inline: ['logo@x', 'other'] })
    expect(none.html).not.toMatch(/<img src|blob:https/)
    const { html } = safePage(raw, new Map([['cid:logo@x', 'blob:here']]))
    expect(html.match(/<img src="[^"]*"/g)).toEqual(['<img src="blob:here"'])
  })

  it('has remote pictures wait until they are asked for', () => {
    const raw = '<img src="https://x.example/a.png"><img src="data:image/png;base64,AA==">'
    const { html, pictures } = safePage(raw)
    expect(pictures).toEqual(['https://x.example/a.png'])
    expect(html).not.toContain('x.example')
    const asked = safePage(
      raw,
      new Map([['https://x.example/a.png', 'data:image/png;base64,BB==']]),
    )
    expect(asked.pictures).toEqual([])
    expect(asked.html).toContain('base64,BB==')
  })
})
