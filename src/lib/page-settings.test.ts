import { expect, test } from 'vitest'
import { readPageSettings } from './page-settings.ts'

function pageWith(json: string) {
  const block = `<script type="application/json" id="settings">${json}</script>`
  return new DOMParser().parseFromString(`<html><head>${block}</head></html>`, 'text/html')
}

test('reads address and key', () => {
  const settings = { supabaseUrl: 'https://example.supabase.co', supabaseKey: 'public' }
  expect(readPageSettings(pageWith(JSON.stringify(settings)))).toEqual(settings)
})

test('an empty address means the page’s own server', () => {
  const settings = { supabaseUrl: '', supabaseKey: 'public' }
  expect(readPageSettings(pageWith(JSON.stringify(settings)))).toEqual(settings)
})

test.each([
  ['{}', /supabaseUrl, supabaseKey/],
  ['{"supabaseUrl":"","supabaseKey":""}', /: supabaseKey/],
  ['{"supabaseUrl":"javascript:alert(1)","supabaseKey":"public"}', /: supabaseUrl/],
  ['{"supabaseUrl":"example.supabase.co","supabaseKey":"public"}', /: supabaseUrl/],
  ['not json', /none found/],
])('names what is wrong with %s', (json, message) => {
  expect(() => readPageSettings(pageWith(json))).toThrow(message)
})

test('says so when the page has no settings at all', () => {
  const page = new DOMParser().parseFromString('<html></html>', 'text/html')
  expect(() => readPageSettings(page)).toThrow(/none found/)
})
