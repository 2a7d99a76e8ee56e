import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { CompanyCard } from './company-card.tsx'
import type { Company } from './queries.ts'

afterEach(cleanup)

function show(website: string): void {
  // What a card looks at; the rest of a company is nothing to it.
  const company = { name: 'Acme', website, tags: [], contacts: 0, open_deals: 0 } as unknown
  const nothing = () => {}
  render(
    <MantineProvider env="test">
      <MemoryRouter>
        <CompanyCard
          company={company as Company}
          to="/app/companies/1"
          onEdit={nothing}
          onDelete={nothing}
          onPointAtEdit={nothing}
        />
      </MemoryRouter>
    </MantineProvider>,
  )
}

test('only http(s) addresses ever become links, whatever is stored', () => {
  show('https://acme.com')
  expect(screen.getAllByRole('link').map((link) => link.textContent)).toEqual(['Acme', 'acme.com'])
  cleanup()
  show('javascript:alert(1)')
  expect(screen.getByText('javascript:alert(1)')).toBeTruthy()
  expect(screen.getAllByRole('link').map((link) => link.textContent)).toEqual(['Acme'])
})
