import { describe, expect, it } from 'vitest'
import { filledInMail, htmlToText, mailBodies, quoteAsText, textToHtml } from './mail-text.ts'

describe('htmlToText', () => {
  it.each([
    ['<p>Hello <strong>you</strong></p><p></p><p>Bye</p>', 'Hello you\n\nBye'],
    ['<p>One<br>two</p>', 'One\ntwo'],
    ['<p><br></p><p>a</p>', '\na'],
    ['<ul><li><p>a</p></li><li><p>b</p></li></ul>', '- a\n- b'],
    [
      '<ol><li><p>a</p><ul><li><p>b</p></li></ul></li><li><p>c</p><p>d</p></li></ol>',
      '1. a\n   - b\n2. c\n   d',
    ],
    ['<ol start="3"><li>a</li></ol>', '3. a'],
    ['<blockquote><p>a</p><p></p><p>b</p></blockquote><p>c</p>', '> a\n>\n> b\nc'],
    [
      '<p><a href="https://x.org/a?b=1&amp;c=2">our page</a>.</p>',
      'our page <https://x.org/a?b=1&c=2>.',
    ],
    [
      '<p><a href="https://x.org/">x.org</a> <a href="mailto:a@x.org">a@x.org</a></p>',
      'x.org a@x.org',
    ],
    [
      '<p>5 &lt; 6 &amp;&amp; &quot;x&quot; &#228;&#xe4; &unknown;</p>',
      '5 < 6 && "x" ää &unknown;',
    ],
    [
      '<style>p{}</style><script>x()</script><div>a</div>\n<div>b</div><!-- c <p>d</p> -->e',
      'a\nb\ne',
    ],
    ['a < b', 'a < b'],
    ['', ''],
  ])('%s', (html, text) => {
    expect(htmlToText(html)).toBe(text)
  })

  it.each(['Hi {{first_name}},\n\n  - indented\nA & B <c> "d"\n\n', ' one', '', 'a  b'])(
    'a text comes back as it was: %j',
    (text) => {
      expect(htmlToText(textToHtml(text))).toBe(text)
    },
  )
})

describe('mailBodies', () => {
  const quote = {
    when: '12 Nov 2026, 10:32',
    who: 'Ada <ada@x.org>',
    text: 'Shall we?\n> before\n',
  }

  it('puts the signature below the text and the quote below both', () => {
    const { text, html } = mailBodies({ html: '<p>Yes.</p>', signature: '<p>Me</p>', quote })
    expect(text).toBe(
      'Yes.\n\n-- \nMe\n\nOn 12 Nov 2026, 10:32, Ada <ada@x.org> wrote:\n> Shall we?\n>> before',
    )
    expect(html).toContain('<p style="margin:0">Yes.</p><p style="margin:0"><br></p>')
    expect(html).toContain('Ada &lt;ada@x.org&gt; wrote:')
    expect(html).toContain('Shall we?</p>')
  })
  it('leaves out an empty signature', () => {
    expect(mailBodies({ html: '<p>Yes.</p>', signature: '<p></p>', quote: null }).text).toBe('Yes.')
  })
  it('quotes what a script would be as text', () => {
    const { html } = mailBodies({
      html: '<p></p>',
      signature: null,
      quote: { ...quote, text: '<script>alert(1)</script>' },
    })
    expect(html).not.toContain('<script')
  })
  it('cuts what is too long to quote', () => {
    expect(quoteAsText({ ...quote, text: 'x'.repeat(60_000) }).length).toBeLessThan(51_000)
  })
})

describe('filledInMail', () => {
  const ada = { first_name: '<b>Ada</b> & Co', last_name: null, email: null }
  it('fills in both forms, and what is filled in is text', () => {
    const mail = {
      subject: 'Hi {{first_name}}',
      text: '{{first_name}}{{x}}',
      html: '<p>{{first_name}}</p>',
    }
    expect(filledInMail(mail, ada)).toEqual({
      subject: 'Hi <b>Ada</b> & Co',
      text: '<b>Ada</b> & Co{{x}}',
      html: '<p>&lt;b&gt;Ada&lt;/b&gt; &amp; Co</p>',
    })
  })
  it('knows a field that is partly bold', () => {
    const html = '<p>{{first<strong>_name}} there</strong></p>'
    const filled = filledInMail({ subject: '', text: '', html }, { ...ada, first_name: 'Ada' })
    expect(filled.html).toBe('<p>Ada<strong> there</strong></p>')
  })
})
