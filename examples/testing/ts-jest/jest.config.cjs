// npm install --save-dev jest ts-jest typescript
module.exports = { preset: 'ts-jest' };
