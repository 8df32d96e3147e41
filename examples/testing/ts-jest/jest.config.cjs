// npm install --save-dev jest ts-jest typescript @types/node
module.exports = { preset: 'ts-jest' };
