import express from 'express';
import { createEngine } from '@rcpt/engine';
const [app, engine] = [express().use(express.json()), createEngine()];
const codeFor = async (email) => ((await engine.verify(`${email}`)).status === 'undeliverable' ? 422 : 201);
app.post('/sign-up', async (req, res) => res.sendStatus(await codeFor(req.body?.email))).listen(3000);
