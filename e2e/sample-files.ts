/** A picture of one pixel. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** One page with a line of text, as small as a PDF can be. */
function pdf(text: string): string {
  const drawn = `BT /F1 24 Tf 60 700 Td (${text}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let file = '%PDF-1.4\n'
  const places = objects.map((object, at) => {
    const place = file.length
    file += `${at + 1} 0 obj\n${object}\nendobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const end = file.length
  return `${file}xref\n0 6\n0000000000 65535 f \n${places.join('')}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${end}\n%%EOF`
}

/** A picture, a document, and a page that calls itself a picture. */
export const sampleFiles = {
  picture: { name: 'Site photo.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') },
  offer: {
    name: 'Offer 2026.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from(pdf('Offer for Ada Lovelace')),
  },
  page: {
    name: 'harmless.png',
    mimeType: 'image/png',
    buffer: Buffer.from('<html><script>document.title="taken"</script></html>'),
  },
}
